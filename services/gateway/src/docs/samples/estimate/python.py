from filmgate import Filmgate

estimate = Filmgate().estimate(
    {{python}}
)
for line in estimate["breakdown"]:
    print(f"{line['item']}: {line['quantity']} × {line['rate']} a {line['unit']}")
print(f"{estimate['credits']} of {estimate['available_credits']} credits")
