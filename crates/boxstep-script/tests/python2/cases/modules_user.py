import UserDict, UserList, UserString
from email.MIMEText import MIMEText
class D(UserDict.UserDict):
    pass
d = D({"a": 1})
print d["a"], d.data, UserList.UserList([1]) + [2], UserString.UserString("s").upper()
print MIMEText("body").get_payload()
