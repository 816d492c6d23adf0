"""The table: columns that know how to become arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lapviz.tables.prepare import Prepared, prepare
from lapviz.tables.records import Columns, Roles
from lapviz.tables.roles import changed


@dataclass(frozen=True, eq=False)
class Table(Columns):
    """A table that was read.

    Attributes
    ----------
    name : str
        Of the file, without its folder.
    columns : tuple of Column
    n_rows : int
    done : tuple of str
        What was done while reading, in sentences.
    roles : Roles
        A suggestion.
    """

    def prepare(self, roles: Roles | None = None, **changes) -> Prepared:
        """Arrays for a fit.

        Parameters
        ----------
        roles : Roles, optional
            What the columns are used for; by default ``self.roles``, the suggestion.
        **changes
            Fields of the roles to change, such as ``label="species"`` or ``missing="drop"``. What
            they name has no other role of the suggestion; a column that was suggested as the label
            and is not becomes a feature, if it can be one.

        Returns
        -------
        Prepared
            X, y, weights, and what was done.

        Raises
        ------
        ValueError
            If the roles cannot be used: the sentence says why and what to change.
        """
        try:
            if roles is None:
                roles = changed(self.columns, self.roles, **changes)
            else:
                roles = replace(roles, **changes)
        except TypeError:
            known = ", ".join(Roles.__dataclass_fields__)
            raise ValueError(f"A table is prepared with {known}; got {sorted(changes)}.") from None
        return prepare(self, roles)
