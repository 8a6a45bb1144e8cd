"""Maps of real countries: towns on sites, certificates on roads, chips at crossings, and a canal."""
