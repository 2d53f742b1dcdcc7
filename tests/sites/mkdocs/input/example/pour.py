import time
import kettle


def pour(cup):
    time.sleep(kettle.boil())
