"""Stop words: the small words of English that stand in any text, whatever it is about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from clearwood.errors import SettingError, no_such
from clearwood.table.text import TextReading, words_of

StopWords: TypeAlias = Literal["english"] | Iterable[str] | None

ENGLISH: Final = """
a about above across after again against all almost along already also although always am among an and
another any anyone anything are aren't around as at away back be became because become been before behind
being below between both but by came can can't cannot could couldn't did didn't do does doesn't doing
don't done down during each either else enough even ever every everyone everything few for from further
get gets getting give given go goes going gone got had hadn't has hasn't have haven't having he he'd
he'll he's hence her here here's hers herself him himself his how however i i'd i'll i'm i've if in
indeed instead into is isn't it it'd it'll it's its itself just keep kept less let let's like made make
many may maybe me might mine more most mostly much must my myself near neither never next no nobody none
nor not nothing now nowhere of off often on once one only onto or other others otherwise our ours
ourselves out over own per perhaps put quite rather really said same say see seem seems several shall she
she'd she'll she's should shouldn't since so some someone something sometimes still such take than that
that'll that's the their theirs them themselves then there there's therefore these they they'd they'll
they're they've this those though through throughout thus to together too toward towards under until up
upon us use used very via was wasn't we we'd we'll we're we've well were weren't what what's whatever
when where where's whether which while who who's whoever whole whom whose why will with within without
won't would wouldn't yet you you'd you'll you're you've your yours yourself yourselves
"""


def stop_words_of(given: StopWords, *, lower: bool = True) -> tuple[str, ...]:
    """The words to leave out, ascending, each once; a phrase gives all its words.

    >>> stop_words_of(["The", "the", "of a"]), len(stop_words_of("english")) > 200
    (('a', 'of', 'the'), True)
    """
    if given is None:
        return ()
    if isinstance(given, str):
        if given != "english":
            raise SettingError(
                f"stop_words: {no_such('list called', given, ('english',))} Or give the words in a list."
            )
        given = (ENGLISH,)
    try:
        listed = tuple(given)
    except TypeError:
        raise SettingError(f"stop_words must be None, 'english' or a list of words, not {given!r}.") from None
    for word in listed:
        if not isinstance(word, str):
            raise SettingError(f"stop_words must be words, not {word!r}.")
    reading = TextReading(lower=lower)
    return tuple(sorted({stop_word for word in listed for stop_word in words_of(word, reading)}))
