"""Troy: secret sides in a war that players fight through donations, and ships on sea hexes."""
