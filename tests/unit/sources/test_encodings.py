"""Texts in the code pages of countries are told by the words that their bytes make."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.errors import SourceError
from goldassay.sources.encodings import encoding_of
from goldassay.sources.files import open_files

#: A small table in each language, as spreadsheets of its country save it.
WRITTEN = {
    "cp1250": "id;odpowiedź;ocena człowieka\n1;Paczka przyszła na czas;dobrze\n2;Źle, błąd;źle\n",
    "cp1251": "ид;ответ;оценка\n1;Посылка пришла вовремя;хорошо\n2;Ответ слишком длинный;плохо\n",
    "cp1252": "id;Antwort;Note\n1;Das Päckchen kam pünktlich;gut\n2;Völlig falsch, größer;mäßig\n",
    "cp1253": "αριθμός;απάντηση\n1;Κοστίζει πέντε ευρώ\n2;Η βιβλιοθήκη είναι δίπλα στο πάρκο\n",
    "cp1254": "no;soru;insan puanı\n1;Kargo zamanında geldi;iyi\n2;Şu yanlış, çok güç;kötü değil\n",
    "cp1257": "nr;atsakymas;žmogaus įvertinimas\n1;Siuntinys atėjo laiku;gerai\n2;Klaidų žąsys;ė\n",
    "cp1255": "מספר,תשובה\n1,כמה זה עולה\n2,הספרייה ליד הגן\n",
    "cp1256": "رقم,جواب\n1,خمسة دنانير\n2,المكتبة بجانب الحديقة\n",
    "koi8-r": "ид;ответ;оценка\n1;Посылка пришла вовремя;хорошо\n2;Ответ слишком длинный;плохо\n",
    "cp932": "番号,回答,評価\n1,これは正しい答えです,良い\n2,質問に答えていません,悪い\n",
    "cp949": "번호,답변,평가\n1,배송이 늦어서 죄송합니다,좋음\n2,질문에 대답하지 않았습니다,나쁨\n",
    "gb18030": "编号,回答,评分\n1,快递昨天已经送到了,好\n2,没有回答用户的问题,差\n",
    "cp950": "編號,回答,評分\n1,快遞昨天已經送到了,好\n2,沒有回答使用者的問題,差\n",
}


@pytest.mark.parametrize("codec", WRITTEN)
def test_the_table_is_the_same_in_any_code_page(tmp_path: Path, codec: str) -> None:
    path, plain = tmp_path / "table.csv", tmp_path / "plain.csv"
    path.write_bytes(WRITTEN[codec].encode(codec))
    plain.write_text(WRITTEN[codec], encoding="utf-8")
    found = encoding_of(path)
    assert found is not None
    assert found[0] == codec
    opened = open_files(path)
    assert opened.told == (f"the file is written in {found[1]}",)
    assert opened.columns == open_files(plain).columns
    assert opened.relation.fetchall() == open_files(plain).relation.fetchall()


@pytest.mark.parametrize("codec", WRITTEN)
def test_a_sentence_that_every_row_repeats_says_no_more(tmp_path: Path, codec: str) -> None:
    head, *rows = WRITTEN[codec].splitlines(keepends=True)
    path = tmp_path / "table.csv"
    path.write_bytes((head + rows[0] * 400 + rows[1]).encode(codec))
    found = encoding_of(path)
    assert found is not None
    assert found[0] == codec


def test_few_words_of_russian_are_no_hebrew(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes("ид;ответ;оценка_модели\n0;ответ номер 0;2\n".encode("cp1251"))
    assert (encoding_of(path) or "")[0] == "cp1251"


def test_what_makes_no_words_is_no_code_page(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(
        "id,human\n1,größe\n".encode() + "2,größe\n".encode("latin-1") + b"\xff\xfe\xf1"
    )
    assert encoding_of(path) is None
    with pytest.raises(SourceError, match="a text file is UTF-8"):
        open_files(path)


def test_a_text_that_is_cut_within_a_sign(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(WRITTEN["cp932"].encode("cp932")[:-2])
    with pytest.raises(SourceError) as caught:
        open_files(path)
    assert str(caught.value) == (
        f"{path}: seems to be written in Shift-JIS, and cannot be read so to its end. Was it cut "
        "while it was written or copied? Else save it as UTF-8."
    )
