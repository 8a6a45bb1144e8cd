"""Maps of real countries: town sites, certificates on roads, chips at crossings, and a canal."""
