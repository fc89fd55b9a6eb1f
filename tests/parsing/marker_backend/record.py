"""Records marker's own JSON for the sample paper: `python record.py DOCUMENT.json PAPER.pdf OUT.json`.

Run it where marker-pdf 2 is installed, whenever the sample paper was rebuilt. Marker's layout model is stood in for by
the places of a `document.json` that `reproducegym parse` wrote, so that no model is needed; all else is marker.
"""

import io
import json
import sys
from pathlib import Path

import marker.converters
import pypdfium2
from marker.converters.pdf import PdfConverter
from surya.layout.schema import LayoutBox, LayoutResult

KINDS = {"reference": "Bibliography", "footnote": "Footnote"}


class PlacesOfDocument:
    """Answers where things stand on each page, page by page."""

    disable_tqdm = True

    def __init__(self, document: dict, pdf: bytes) -> None:
        self._document = document
        self._pdf = pypdfium2.PdfDocument(pdf)
        self._number = 0

    def __call__(self, images: list, **_: object) -> list:
        return [self._page(image) for image in images]

    def _page(self, image) -> LayoutResult:
        self._number += 1
        page = self._document["pages"][self._number - 1]
        x, y = image.width / page["width"], image.height / page["height"]
        boxes = []
        for label, (x0, y0, x1, y1) in self._places(page):
            corners = [(x0 - 1) * x, (y0 - 1) * y, (x1 + 1) * x, (y1 + 1) * y]
            a, b, c, d = corners
            polygon = [[a, b], [c, b], [c, d], [a, d]]
            boxes.append(LayoutBox(polygon=polygon, label=label, raw_label=label, position=len(boxes)))
        return LayoutResult(bboxes=boxes, image_bbox=[0, 0, image.width, image.height])

    def _places(self, page: dict) -> list:
        found = [("PageFooter", (page["width"] * 0.4, page["height"] - 60, page["width"] * 0.6, page["height"] - 30))]
        for section in self._document["sections"]:
            found += [("SectionHeader", place["bbox"]) for place in [section["place"]] if self._here(place)]
        for equation in self._document["equations"]:
            found += [("Equation", place["bbox"]) for place in [equation["place"]] if self._here(place)]
        for paragraph in self._document["paragraphs"]:
            label = KINDS.get(paragraph["role"], "Text")
            for place in filter(self._here, paragraph["places"]):
                found += [(label, box) for box in self._columns(paragraph["text"], place["bbox"], page)]
        for kind, label in (("tables", "Table"), ("figures", "Figure")):
            for piece in filter(self._here, self._document[kind]):
                found.append((label, piece["bbox"]))
                if piece["caption"]:
                    found.append(("Caption", piece["caption"]["place"]["bbox"]))
        middle = page["width"] / 2
        return sorted(found, key=lambda one: (one[1][2] - one[1][0] < middle and one[1][0] > middle, one[1][1]))

    def _here(self, place: dict) -> bool:
        return place["page"] == self._number

    def _columns(self, text: str, box: list, page: dict) -> list:
        """The box of a paragraph, or one box a column where it goes on in the next one."""
        if box[2] - box[0] < 0.6 * page["width"]:
            return [box]
        textpage = self._pdf[self._number - 1].get_textpage()
        boxes: dict[bool, list] = {}
        for n in range(textpage.count_rects()):
            left, bottom, right, top = textpage.get_rect(n)
            words = textpage.get_text_bounded(left, bottom, right, top).strip()
            if words and words.split("-")[0] in text and box[1] - 1 <= page["height"] - top <= box[3]:
                boxes.setdefault(left > page["width"] / 2, []).append(
                    (left, page["height"] - top, right, page["height"] - bottom)
                )
        return [
            [min(b[0] for b in own), min(b[1] for b in own), max(b[2] for b in own), max(b[3] for b in own)]
            for own in boxes.values()
        ]


def main() -> None:
    document, paper, out = map(Path, sys.argv[1:])
    marker.converters.download_font = lambda: None
    pdf = paper.read_bytes()
    layout = PlacesOfDocument(json.loads(document.read_text("utf-8")), pdf)
    models = {"layout_model": layout, "fast_layout_model": layout, "recognition_model": None, "ocr_error_model": None}
    settings = {"mode": "fast", "disable_ocr": True, "extract_images": False, "pdftext_workers": 1}
    convert = PdfConverter(models, renderer="marker.renderers.json.JSONRenderer", config=settings)
    out.write_text(convert(io.BytesIO(pdf)).model_dump_json() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
