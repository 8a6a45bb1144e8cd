"""Sea Robbers: battles, chest tokens, Captain Dever and warships, added to Seafarers."""
