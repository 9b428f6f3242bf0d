"""Files of the game master's: written and edited so that everything else in them stays."""
