"""Word list to word graph: a minimal DAWG and GADDAG in KWG layout.

The DAWG accepts the words. The GADDAG accepts, for each word and each place to cut it in two, the first
part backwards, the separator and the second part, and also the whole word backwards. What follows a
separator is what follows the first part in the DAWG, so the GADDAG is built from the DAWG's prefixes turned
round, and leads back into the DAWG.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pegray.errors import InputError
from pegray.lexicon.decorators import part_of_word_kernel, word_kernel
from pegray.lexicon.kwg import ARC_MASK, END_FLAG, HIGHEST_TILE, LAST_FLAG, MAX_NODES, ROOTS, TILE_SHIFT

BUILDER_VERSION = 1
"""Part of the key of cached graphs: raise it when the same words give other nodes."""

_WIDTH = 16  # bytes of a padded string: two machine words to sort by
_LISTS_DEEP = _WIDTH + 1
_LIST_LENGTH = HIGHEST_TILE + 1
_HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_HASH_SHIFT = np.uint64(29)


def build_kwg(letters: npt.NDArray[np.uint8], lengths: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint32]:
    """The minimal graph of encoded words: letters uint8[n, 15] padded with 0, lengths uint8[n], in any order.

    Returns uint32[nodes], every list of arcs after the lists that it leads to; without words both roots lead
    nowhere.
    Raises InputError if there are too many words for a KWG.
    """
    words = np.zeros((len(letters), _WIDTH), np.uint8)
    words[:, : letters.shape[1]] = letters
    order = _alphabetical(words)
    words, lengths = words[order], lengths[order]
    prefixes = _count_prefixes(words, lengths)

    nodes = np.zeros(ROOTS + prefixes, np.uint32)
    ends = np.ones(len(words), np.bool_)
    nothing_after = np.zeros(len(words), np.uint32)
    dawg_root, count = _add_strings(words, lengths, ends, nothing_after, nodes, ROOTS, _register(prefixes))
    _check_size(count)

    turned, lengths, ends, after = _turned_prefixes(words, lengths, nodes, dawg_root, prefixes)
    order = _alphabetical(turned)
    turned, lengths, ends, after = turned[order], lengths[order], ends[order], after[order]
    new_arcs = _count_prefixes(turned, lengths) + prefixes
    nodes = np.concatenate((nodes[:count], np.zeros(new_arcs, np.uint32)))
    gaddag_root, count = _add_strings(turned, lengths, ends, after, nodes, count, _register(new_arcs))
    _check_size(count)

    nodes[:ROOTS] = (LAST_FLAG | dawg_root, LAST_FLAG | gaddag_root)
    return nodes[:count].copy()


def _alphabetical(strings: npt.NDArray[np.uint8]) -> npt.NDArray[np.intp]:
    """The order of strings uint8[n, 16] by their tiles."""
    halves = strings.view(">u8").astype(np.uint64)
    return np.lexsort((halves[:, 1], halves[:, 0]))


def _register(most_lists: int) -> npt.NDArray[np.uint32]:
    """An empty hash table of lists: a power of two entries, less than half of which get filled."""
    return np.zeros(4 << int(most_lists).bit_length() - 1 if most_lists else 2, np.uint32)


def _check_size(count: int) -> None:
    if count > MAX_NODES:
        raise InputError(f"too many words: their graph needs {count} nodes, a KWG holds {MAX_NODES}")


@part_of_word_kernel
def _common_prefix(strings, lengths, number):  # type: ignore[no-untyped-def]
    """How many tiles a string begins with that the one before it begins with as well."""
    if number == 0:
        return 0
    most = min(lengths[number - 1], lengths[number])
    common = 0
    while common < most and strings[number - 1, common] == strings[number, common]:
        common += 1
    return common


@word_kernel
def _count_prefixes(strings, lengths):  # type: ignore[no-untyped-def]
    """Number of different prefixes of sorted strings: the arcs of their trie."""
    count = 0
    for number in range(len(strings)):
        count += np.int64(lengths[number]) - _common_prefix(strings, lengths, number)
    return count


@part_of_word_kernel
def _close_list(open_list, size, nodes, count, register):  # type: ignore[no-untyped-def]
    """Find a finished list among those written, or write it: its index and the count of nodes."""
    if size == 0:
        return 0, count
    open_list[size - 1] |= np.uint32(LAST_FLAG)
    key = np.uint64(0)
    for at in range(size):
        key = (key ^ np.uint64(open_list[at])) * _HASH_FACTOR
        key ^= key >> _HASH_SHIFT
    mask = len(register) - 1
    slot = np.int64(key & np.uint64(mask))
    while register[slot] != 0:
        start = np.int64(register[slot])
        # lists end with their last flag, so the comparison cannot run on into another list
        at = 0
        while at < size and nodes[start + at] == open_list[at]:
            at += 1
        if at == size:
            return start, count
        slot = (slot + 1) & mask
    register[slot] = count
    for at in range(size):
        nodes[count + at] = open_list[at]
    return count, count + size


@word_kernel
def _add_strings(strings, lengths, ends, after, nodes, count, register):  # type: ignore[no-untyped-def]
    """Write the minimal graph of sorted strings behind the first ``count`` nodes.

    Returns its root list and the new count.

    ends: whether the string is accepted; after: the list that follows it after a separator, 0 for none.
    """
    open_lists = np.zeros((_LISTS_DEEP, _LIST_LENGTH), np.uint32)
    sizes = np.zeros(_LISTS_DEEP, np.int64)
    deepest = np.int64(0)
    for number in range(len(strings)):
        common = _common_prefix(strings, lengths, number)
        length = np.int64(lengths[number])
        for depth in range(deepest, common, -1):
            start, count = _close_list(open_lists[depth], sizes[depth], nodes, count, register)
            open_lists[depth - 1, sizes[depth - 1] - 1] |= np.uint32(start)
            sizes[depth] = 0
        for depth in range(common, length):
            open_lists[depth, sizes[depth]] = np.uint32(strings[number, depth]) << np.uint32(TILE_SHIFT)
            sizes[depth] += 1
        if ends[number]:
            open_lists[length - 1, sizes[length - 1] - 1] |= np.uint32(END_FLAG)
        if after[number] != 0:
            open_lists[length, 0] = after[number]  # the separator is tile 0
            sizes[length] = 1
        deepest = length
    for depth in range(deepest, 0, -1):
        start, count = _close_list(open_lists[depth], sizes[depth], nodes, count, register)
        open_lists[depth - 1, sizes[depth - 1] - 1] |= np.uint32(start)
    return _close_list(open_lists[0], sizes[0], nodes, count, register)


@word_kernel
def _turned_prefixes(words, lengths, nodes, root, prefixes):  # type: ignore[no-untyped-def]
    """Every prefix of the sorted words, backwards.

    Returns them with their lengths, whether each is a word itself, and the DAWG's list that follows it.
    """
    turned = np.zeros((prefixes, _WIDTH), np.uint8)
    turned_lengths = np.zeros(prefixes, np.uint8)
    ends = np.zeros(prefixes, np.bool_)
    after = np.zeros(prefixes, np.uint32)
    lists = np.zeros(_LISTS_DEEP, np.int64)
    lists[0] = root
    row = 0
    for number in range(len(words)):
        for depth in range(_common_prefix(words, lengths, number), lengths[number]):
            index = lists[depth]
            while nodes[index] >> np.uint32(TILE_SHIFT) != words[number, depth]:
                index += 1
            lists[depth + 1] = nodes[index] & np.uint32(ARC_MASK)
            for at in range(depth + 1):
                turned[row, at] = words[number, depth - at]
            turned_lengths[row] = depth + 1
            ends[row] = (nodes[index] & np.uint32(END_FLAG)) != 0
            after[row] = lists[depth + 1]
            row += 1
    return turned, turned_lengths, ends, after
