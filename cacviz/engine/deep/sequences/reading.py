"""What methods of series share: X is patients × hours × variables, or stays."""

from __future__ import annotations

import torch
from sklearn.utils.validation import check_consistent_length, column_or_1d

from cacviz.engine.deep import module
from cacviz.engine.deep.sequences.networks import SeriesShape
from cacviz.engine.preparation.stay_codes import StayCodes, as_stays

PACE = 3.0


class ReadsSeries:
    """Mixed into a staged classifier, to the left of it: the same stages over hours.

    X is patients × hours × variables, NaN where nothing was measured; or `Stays`, with static
    features beside the hours.
    """

    codes_class: type = StayCodes

    def _validated(self, X, y=None, *, reset=False):
        stays = as_stays(X)
        n_static = None if stays.static is None else stays.static.shape[1]
        shape = [*stays.hours.shape[1:], n_static]
        if reset:
            self.n_features_in_ = shape
        elif shape != self.n_features_in_:
            raise ValueError(
                f"X has {_said(shape)}, but {type(self).__name__} was fitted with "
                f"{_said(self.n_features_in_)}."
            )
        if y is None:
            return stays
        check_consistent_length(stays.hours, y)
        return stays, column_or_1d(y)

    def _settings(self, n_patients):
        shape = SeriesShape(self.codes_.n_hours, self.codes_.n_variables)
        return super()._settings(n_patients)._replace(series=shape, pace=PACE)

    def _patients(self, X, y, fold):
        inputs = torch.from_numpy(self.codes_.inputs(X))
        start, size = self.codes_.n_inputs, self.codes_.n_hours * self.codes_.n_variables
        values, measured = inputs[:, start : start + size], inputs[:, start + size :][:, :size]
        parts = (torch.as_tensor(part, dtype=torch.int64) for part in (y, fold))
        return module.Patients(inputs, values, measured, *parts)


def _said(shape):
    hours, variables, static = shape
    return f"{hours} hours × {variables} variables and {static or 'no'} static features"
