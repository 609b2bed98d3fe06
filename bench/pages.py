def write(): pass
def stale(): return []
