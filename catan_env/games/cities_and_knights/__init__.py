"""Cities & Knights: commodities, city improvements, knights, barbarians and progress cards."""
