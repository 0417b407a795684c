"""The learners as they are defined: plain Python over counts.

The native routine must grow the very same trees and is tested against this folder; a measure it does
not know is learned with from here.
"""

from clearwood.learners.by_counts.growing import grow_by_counts, task_of

__all__ = ["grow_by_counts", "task_of"]
