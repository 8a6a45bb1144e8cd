"""Troy: secret sides in a war that is fought with donations, and ships in the hexes of the sea."""
