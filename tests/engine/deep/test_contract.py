"""DeepCAC is a scikit-learn classifier, whichever way patients are routed."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from cacviz.engine.deep.deepcac import DeepCAC

FAST = {
    "hidden": 16,
    "learning_rate": 0.03,
    "pretrain_epochs": 1,
    "epochs": 2,
    "expert_epochs": 5,
    "random_state": 0,
}


@pytest.mark.heavy
@parametrize_with_checks([DeepCAC(2, routing=r, **FAST) for r in ("hard", "soft")])
def test_scikit_learn_contract(estimator, check):
    check(estimator)
