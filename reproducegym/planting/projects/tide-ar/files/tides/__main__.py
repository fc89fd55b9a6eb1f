import argparse
import json
from pathlib import Path

import numpy as np

from tides.ar import AR, filled
from tides.gauge import levels
from tides.options import read

PLACE = Path(__file__).resolve().parent.parent


def impute(series, order, ridge, times, seed):
    rough = np.where(np.isnan(series), np.nanmean(series), series)
    model = AR(order, ridge).fit(rough)
    rng = np.random.default_rng(seed)
    betas = []
    for _ in range(times):
        model = AR(order, ridge).fit(filled(series, model, rng))
        betas.append(model.beta)
    return model, np.array(betas)


def main():
    parser = argparse.ArgumentParser(prog="tides")
    parser.add_argument("--ini", default=PLACE / "tides.ini")
    parser.add_argument("-o", action="append", default=[], metavar="SECTION.KEY=VALUE")
    args = parser.parse_args()
    ini = read(args.ini, args.o)

    series = levels(PLACE / ini["gauge"]["folder"])
    cut = int(len(series) * 0.8)
    model, betas = impute(
        series[:cut], ini.getint("model", "order"), ini.getfloat("model", "ridge"),
        ini.getint("noise", "imputations"), ini.getint("noise", "seed"),
    )
    model.beta = betas.mean(0)
    late = series[cut:]
    error = late[model.order :] - model.ahead(late)
    metrics = {"rmse": float(np.sqrt(np.nanmean(error**2))), "gaps": int(np.isnan(series).sum()),
               "spread": float(np.nanstd(late)), "between": float(betas.std(0).mean())}
    out = PLACE / "out"
    out.mkdir(exist_ok=True)
    np.savez(out / "ar.npz", betas=betas, mean=model.beta)
    (out / "metrics.json").write_text(json.dumps(metrics, indent=2))
    print("one step ahead: %.3f m" % metrics["rmse"])


if __name__ == "__main__":
    main()
