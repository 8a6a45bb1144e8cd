// Shows the progress of a review until its page is ready.
import {find} from "./elements.js";

const WAIT = 400;

async function look() {
  try {
    const response = await fetch(location.pathname + "/progress"), state = await response.json();
    if (!response.ok || state.error) { find("notice").textContent = state.error; return; }
    find("notice").textContent = "";
    if (state.ready) { location.reload(); return; }
    if (state.total) Object.assign(find("progress"), {max: state.total, value: state.done});
    find("words").textContent = state.total ? `${state.done} of ${state.total} moves` : "Starting; another review may be running.";
  } catch { find("notice").textContent = "The server does not answer; trying again..."; }
  setTimeout(look, WAIT);
}
look();
