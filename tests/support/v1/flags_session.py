"""What flags give or raise, an expression a line: absl is what flags without it are held against."""

import enum
import os
import tempfile

import steepest.v1 as tf

flags, F = tf.flags, tf.flags.FLAGS
kind = enum.Enum("Kind", "RED BLUE")
flags.DEFINE_string("name", "x", "the name", short_name="n")
flags.DEFINE_integer("count", default_value=3, docstring="how many")
flags.DEFINE_integer("level", 5, "", lower_bound=0, upper_bound=9)
flags.DEFINE_float("rate", 0.5, "", lower_bound=0)
flags.DEFINE_bool("go", False, "go on")
flags.DEFINE_list("items", ["a", "b"], "")
flags.DEFINE_spaceseplist("words", "a b", "", comma_compat=True)
flags.DEFINE_enum("mode", "train", ["train", "eval"], "", case_sensitive=False)
flags.DEFINE_enum_class("kind", kind.RED, kind, "")
flags.DEFINE_multi_enum_class("kinds", [kind.RED], kind, "")
flags.DEFINE_multi_integer("many", [1, 2], "", lower_bound=0)
flags.DEFINE_alias("title", "name")
holder = flags.DEFINE_integer("held", 4, "")
path = os.path.join(tempfile.mkdtemp(), "flags")
with open(path, "w") as file:
    file.write("--count=1\n# no\n--name=of_a_file\n")
NAMES = ["name", "count", "level", "rate", "go", "items", "words", "mode", "kind", "kinds", "many", "title", "held"]


def given(*words, **options):
    rest = F(["program", *words], **options)
    return rest, {name: F[name].value for name in NAMES if name in F}


tried = [
    lambda: holder.value,
    lambda: F.is_parsed(),
    lambda: given("--count=4", "rest", "--nogo", "--rate", "0.25", "-n", "q"),
    lambda: given(
        "--go=true", "--items=c, d", "--words=a,b c", "--mode=EVAL", "--kind=blue", "--kinds=BLUE", "--kinds=red"
    ),
    lambda: given("--many=5", "--many", "6", "--title=t", "--count=0x10"),
    lambda: given("--go", "--", "--count=1"),
    lambda: given("--flagfile=" + path),
    lambda: given("--undefok=zz", "--zz=3"),
    lambda: given("--zz=1", known_only=True),
    lambda: given("--coun=2"),
    lambda: given("--count=x"),
    lambda: given("--level=10"),
    lambda: given("--rate=-1"),
    lambda: given("--mode=zzz"),
    lambda: given("--kind=GREEN"),
    lambda: given("--go=maybe"),
    lambda: given("--nogo=1"),
    lambda: given("--many=-1"),
    lambda: given("--count"),
    lambda: given("--flagfile=/nowhere"),
    lambda: given("-"),
    lambda: F.nobody,
    lambda: setattr(F, "nobody", 1),
    lambda: setattr(F, "count", 9) or F.count,
    lambda: "count" in F,
    lambda: [F["count"].present, F["count"].default, F["count"].help, F["count"].name, F["go"].boolean],
    lambda: F.set_default("held", 8) or [F.held, holder.value, holder.default, holder.name],
    lambda: flags.set_default(holder, 9) or F.held,
    lambda: F.get_flag_value("count", 0),
    lambda: holder == 9,
    lambda: flags.register_validator("level", lambda n: n < 7, "is too high"),
    lambda: setattr(F, "level", 8),
    lambda: F.level,
    lambda: given("--level=7"),
    lambda: given("--level=6"),
    lambda: flags.mark_flags_as_mutual_exclusive(["name", "mode"]),
    lambda: flags.mark_flag_as_required("none_such"),
    lambda: flags.register_multi_flags_validator(["held", "count"], lambda d: d["held"] > d["count"], "held is small"),
    lambda: setattr(F, "count", 90),
    lambda: [line for line in F.flags_into_string().split() if "held" in line or "go" in line],
    lambda: "the name" in F.get_help(),
    lambda: F.unparse_flags() or F.is_parsed(),
    lambda: F.mark_as_parsed() or F.rate,
    lambda: delattr(F, "rate") or "rate" in F,
    lambda: issubclass(flags.IllegalFlagValueError, flags.Error),
    lambda: flags.DEFINE(flags.IntegerParser(0, 5), "own", 4, "") and F.own,
    lambda: flags.DEFINE_integer("less", -1, "", 0),
    lambda: flags.DEFINE_string("name", None, ""),
    lambda: [type(each).__name__ for each in (F.__flags, F["many"])],
]
for each in tried:
    try:
        print(each())
    except Exception as error:
        print(type(error).__name__, str(error).replace("  ", " ").replace("Second", "second"))
