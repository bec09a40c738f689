"""The types of Boxstep's module `naoqi`."""
from boxstep.proxies import ALBroker as ALBroker, ALModule as ALModule, createModule as createModule
from boxstep.services import ALProxy as ALProxy
