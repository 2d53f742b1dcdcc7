import planted
def boil():
    return 100
plantedcode()
