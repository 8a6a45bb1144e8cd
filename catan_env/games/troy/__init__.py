"""Troy: secret sides in a war that players fight with donations, and ships on sea hexes."""
