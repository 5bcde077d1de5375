from filmgate import Filmgate

client = Filmgate()
for record in client.usage.list(limit=100):
    print(record["created_at"], record["kind"], record["model"], record["credits"], record["balance_after"])

for row in client.usage.summary(by="day,model")["data"]:
    print(row["day"], row["model"], row["generations"], row["credits_net"])
