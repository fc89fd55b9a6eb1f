"""Which shops have a week alike?"""
