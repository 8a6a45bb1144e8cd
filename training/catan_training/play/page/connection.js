// A connection to the server that comes back by itself after it was lost.

const LONGEST_WAIT = 5000;

export function connect(path, {received, lost}) {
  let socket = null, wait = 250, closed = false;
  const address = (location.protocol === "https:" ? "wss://" : "ws://") + location.host + path;

  function open() {
    socket = new WebSocket(address);
    socket.onmessage = event => {
      const message = JSON.parse(event.data);
      closed = closed || message.type === "closed";
      wait = 250;
      received(message);
    };
    socket.onclose = () => {
      if (closed) return;
      lost();
      setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    };
  }
  open();
  return message => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
}
