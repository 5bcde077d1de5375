from filmgate import Filmgate, FilmgateError

client = Filmgate()
request = dict(
    {{python}}
)
price = client.estimate(**request)["credits"]
try:
    client.generate(**request, max_credits=price, save_to="video.mp4")
except FilmgateError as error:
    if error.code != "max_credits_exceeded":
        raise
    print(f"The price has risen to {error.details['price_credits']} credits. Nothing was charged.")
