"""Copies in languages without blanks between words: the same defects are found as in others, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tutorial_tool import site, variants
from tutorial_tool.config.settings import Config
from tutorial_tool.core import scripts
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.linter import engine

JAPANESE = """\
---
title: {name}でルーターを設定する
---

# {name}でルーターを設定する

作業を始める前に、{name}に管理アプリを入れておきます。ルーターとパソコンは同じネットワークにつないでください。

## ルーターを追加する

1. ルーターの電源を入れ、ランプが緑色になるまで待ちます。
2. {name}で**{menu}**を開きます。
3. 「機器を追加」をクリックし、裏面の番号を入力します。
4. 「完了しました。」と表示されるまで、約5分待ちます。

| 項目 | 値 | 説明 |
| --- | --- | --- |
| ゲスト用ネットワーク | オフ | ゲストは家のネットワークを使えません。 |
| 自動更新 | オン | 毎晩、新しいバージョンがないか確認します。 |
| チャンネル | 自動 | 混雑していないチャンネルをルーターが選びます。 |

ルーターには32台まで登録できます。更新中は電源を切らないでください！更新が終わると、{name}は自動的に再接続します。

## 接続を確認する

{name}のブラウザーで好きなページを開きます。表示されない場合は、ルーターを再起動してください。
"""
CHINESE = """\
# 在 {name} 上连接路由器

开始之前，请先在 {name} 上安装管理程序。路由器和电脑必须位于同一网络中。

## 添加路由器

1. 接通路由器的电源，等待指示灯变为绿色。
2. 在 {name} 中打开 **{menu}**。
3. 点击**添加设备**，然后输入背面的序列号。
4. 等待大约 5 分钟，直到出现“已完成”。

| 选项 | 值 | 说明 |
| --- | --- | --- |
| 访客网络 | 关闭 | 访客无法使用您的网络。 |
| 自动更新 | 开启 | 路由器每天晚上检查新版本。 |
| 远程管理 | 关闭 | 只能从家里的网络更改设置。 |

路由器最多可以记住 32 台设备。不要在更新过程中拔掉电源！更新后，{name} 会重新连接。

> 如果指示灯一直是红色，请检查网线。

## 检查连接

在 {name} 的浏览器中打开任意网页。如果页面没有出现，请重新启动路由器。
"""
KOREAN = """\
# {name}에서 공유기 연결하기

시작하기 전에 {name}{object} 최신 버전으로 업데이트하십시오. 공유기와 컴퓨터는 같은 네트워크에 있어야 합니다.

1. 공유기의 전원을 켜고 표시등이 녹색이 될 때까지 기다립니다.
2. {name}에서 **{menu}** 메뉴를 엽니다.
3. **장치 추가** 버튼을 누르고 뒷면의 일련번호를 입력합니다.

설정에는 약 5분이 걸립니다. 그 뒤에는 {name}{subject} 자동으로 다시 연결됩니다.

## 연결 확인

{name}의 브라우저에서 아무 페이지나 엽니다. 페이지가 나타나지 않으면 공유기를 다시 시작하십시오.
"""
THAI = """\
# เชื่อมต่อเราเตอร์บน {name}

ก่อนเริ่มต้น ให้ติดตั้งโปรแกรมจัดการบน{name}ให้เรียบร้อย

เราเตอร์และคอมพิวเตอร์ต้องอยู่ในเครือข่ายเดียวกัน

1. เปิดเราเตอร์แล้วรอจนไฟเป็นสีเขียว
2. กดปุ่มเพิ่มอุปกรณ์แล้วใส่หมายเลขเครื่องที่อยู่ด้านหลัง

การตั้งค่าใช้เวลาประมาณ5นาที

## ตรวจสอบการเชื่อมต่อ

เปิดหน้าเว็บใดก็ได้ในเบราว์เซอร์ของ{name}
"""
PAGES = {"ja": JAPANESE, "zh": CHINESE, "ko": KOREAN, "th": THAI}
NAMES = {"windows": "Windows", "macos": "macOS", "linux": "Linux"}
MENUS = {
    "ja": {"windows": "設定", "macos": "システム設定", "linux": "ネットワークマネージャー"},
    "zh": {"windows": "设置", "macos": "系统设置", "linux": "网络管理器"},
    "ko": {"windows": "설정", "macos": "시스템 설정", "linux": "네트워크 관리자"},
}
PARTICLES = {"windows": ("를", "가"), "macos": ("를", "가"), "linux": ("을", "이")}


def written(folder: Path, language: str, *edits: tuple[str, str]) -> site.Site:
    """Three copies in a language, some texts of the one for Linux replaced."""
    for slug, name in NAMES.items():
        to, by = PARTICLES[slug]
        text = PAGES[language].format(name=name, menu=MENUS.get(language, {}).get(slug), object=to, subject=by)
        for old, new in edits if slug == "linux" else ():
            assert old in text
            text = text.replace(old, new, 1)
        path = folder / slug / "connect.md"
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
    return site.load_plain(sorted(folder.rglob("*.md")), folder)


def found(folder: Path, language: str, *edits: tuple[str, str]) -> list[Finding]:
    return list(engine.run(written(folder, language, *edits), Config()))


@pytest.mark.parametrize("language", PAGES)
def test_copies_without_defects_have_no_findings(tmp_path: Path, language: str) -> None:
    assert found(tmp_path, language) == []


@pytest.mark.parametrize("language", PAGES)
def test_platforms_are_called_by_their_names_and_not_by_what_is_written_behind_them(
    tmp_path: Path, language: str
) -> None:
    (step,) = variants.find_steps(written(tmp_path, language))
    assert {id_: variant.name for id_, variant in step.variants.items()} == NAMES


@pytest.mark.parametrize(
    ("rule", "line", "old", "new"),
    [
        ("foreign-name", 2, "title: Linux", "title: macOS"),
        ("foreign-name", 5, "# Linuxで", "# Windowsで"),
        ("foreign-name", 22, "、Linuxは", "、Windowsは"),
        ("missing-row", 18, "| 自動更新 | オン | 毎晩、新しいバージョンがないか確認します。 |\n", ""),
        ("conflicting-value", 19, "| 自動更新 | オン", "| 自動更新 | オフ"),
        ("drifted-wording", 14, "約5分", "約10分"),
        ("drifted-wording", 22, "32台", "64台"),
        ("missing-text", 26, "表示されない場合は、ルーターを再起動してください。", ""),
        ("missing-text", 16, "ルーターには32台まで登録できます。", ""),
        ("missing-text", 12, "3. 「機器を追加」をクリックし、裏面の番号を入力します。\n4.", "3."),
        ("missing-section", 9, JAPANESE[JAPANESE.index("## 接続") :].format(name="Linux"), ""),
    ],
)
def test_defects_of_japanese_copies_are_found(tmp_path: Path, rule: str, line: int, old: str, new: str) -> None:
    (finding,) = found(tmp_path, "ja", (old, new))
    assert (finding.rule, finding.span.path, finding.span.position.line) == (rule, "linux/connect.md", line)


@pytest.mark.parametrize(
    ("rule", "line", "old", "new"),
    [
        ("foreign-name", 1, "# 在 Linux", "# 在 Windows"),
        ("foreign-name", 3, "请先在 Linux 上", "请先在Windows上"),
        ("missing-row", 14, "| 自动更新 | 开启 | 路由器每天晚上检查新版本。 |\n", ""),
        ("conflicting-value", 16, "| 远程管理 | 关闭", "| 远程管理 | 开启"),
        ("drifted-wording", 7, "变为绿色", "变成绿色"),
        ("drifted-wording", 10, "大约 5 分钟", "大约10分钟"),
        ("missing-text", 18, "不要在更新过程中拔掉电源！", ""),
        ("missing-text", 18, "> 如果指示灯一直是红色，请检查网线。\n\n", ""),
        ("missing-text", 8, "3. 点击**添加设备**，然后输入背面的序列号。\n4.", "3."),
    ],
)
def test_defects_of_chinese_copies_are_found(tmp_path: Path, rule: str, line: int, old: str, new: str) -> None:
    (finding,) = found(tmp_path, "zh", (old, new))
    assert (finding.rule, finding.span.path, finding.span.position.line) == (rule, "linux/connect.md", line)


@pytest.mark.parametrize(
    ("language", "rule", "old", "new"),
    [
        ("ko", "foreign-name", "Linux의", "macOS의"),
        ("ko", "missing-text", " 페이지가 나타나지 않으면 공유기를 다시 시작하십시오.", ""),
        ("ko", "drifted-wording", "약 5분", "약 10분"),
        ("th", "foreign-name", "เบราว์เซอร์ของLinux", "เบราว์เซอร์ของmacOS"),
        ("th", "missing-text", "เราเตอร์และคอมพิวเตอร์ต้องอยู่ในเครือข่ายเดียวกัน\n\n", ""),
        ("th", "drifted-wording", "ประมาณ5นาที", "ประมาณ10นาที"),
    ],
)
def test_defects_of_korean_and_thai_copies_are_found(
    tmp_path: Path, language: str, rule: str, old: str, new: str
) -> None:
    (finding,) = found(tmp_path, language, (old, new))
    assert (finding.rule, finding.span.path) == (rule, "linux/connect.md")


def test_blanks_beside_names_and_kinds_of_marks_are_no_drift(tmp_path: Path) -> None:
    assert found(tmp_path, "zh", ("大约 5 分钟，", "大约5分钟,"), ("在 Linux 的", "在Linux的")) == []


def test_words_are_counted_by_letters_where_no_blanks_are() -> None:
    assert scripts.count_words("Click the button, and wait.") == 5
    assert scripts.count_words("設定を開きます。") == 4
    assert scripts.count_words("在 Linux 上打开设置。") == 4
    assert scripts.split_words("Linuxのサーバーを開く") == ["Linux", "の", "サーバー", "を", "開", "く"]


def test_a_name_ends_beside_a_letter_of_another_script_but_not_within_its_own() -> None:
    name = scripts.Expression(r"(?<![\w-])Linux(?![\w])")
    texts = ("Linuxの設定", "在Linux上", "Linux에서", "บนLinuxแล้ว", "Linuxés", "Linuxes", "xLinuxの", "Linux")
    assert [text for text in texts if name.search(text)] == [*texts[:4], "Linux"]
    assert not re.search(scripts.build_whole_word("サーバ", "サーバ"), "サーバーを開く")
