from filmgate import Filmgate

key = Filmgate().key()
print(key["limits"]["requests_per_minute"], "requests a minute,", key["spend"]["month_credits"], "credits this month")
for budget in key["budgets"]:
    print(budget["budget"], budget["period"], budget["left_credits"], "of", budget["max_credits"], "credits left")
