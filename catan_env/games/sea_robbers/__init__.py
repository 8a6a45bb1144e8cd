"""Sea Robbers: battles, chest tokens, Captain Dever and personal warships, on top of Seafarers."""
