"""What a report cites, by key; numbers are given in the order of use."""

from __future__ import annotations

from collections.abc import Sequence

CAC = "Srivastava S, Bhatia S, Huang L, Lim JH, Kawaguchi K, Rajan V. Clustering aware classification for risk prediction and subtyping in clinical data. 2022. arXiv:2102.11872."
REFERENCES = {
    "cac": CAC,
    "deepcac": CAC,
    "deepcac_ts": CAC,
    "kmeans": "MacQueen J. Some methods for classification and analysis of multivariate observations. Proc 5th Berkeley Symp Math Stat Probab 1967;1:281-297.",
    "dcn_z": "Yang B, Fu X, Sidiropoulos ND, Hong M. Towards k-means-friendly spaces: simultaneous deep learning and clustering. ICML 2017.",
    "idec_z": "Guo X, Gao L, Liu X, Yin J. Improved deep embedded clustering with local structure preservation. IJCAI 2017.",
    "dmnn": "Li X, Zhu D, Levy P. Predicting clinical outcomes with patient stratification via deep mixture neural networks. AMIA Jt Summits Transl Sci 2020.",
    "actpc": "Lee C, van der Schaar M. Temporal phenotyping using deep predictive clustering of disease progression. ICML 2020.",
    "grasp": "Zhang C, Gao X, Ma L, Wang Y, Wang J, Tang W. GRASP: generic framework for health status representation learning based on incorporating knowledge from similar patients. AAAI 2021.",
    "holm": "Holm S. A simple sequentially rejective multiple test procedure. Scand J Stat 1979;6:65-70.",
    "wilson": "Wilson EB. Probable inference, the law of succession, and statistical inference. J Am Stat Assoc 1927;22:209-212.",
    "silhouette": "Rousseeuw PJ. Silhouettes: a graphical aid to the interpretation and validation of cluster analysis. J Comput Appl Math 1987;20:53-65.",
    "umap": "McInnes L, Healy J, Melville J. UMAP: uniform manifold approximation and projection for dimension reduction. 2018. arXiv:1802.03426.",
    "shap": "Lundberg SM, Erion G, Chen H, et al. From local explanations to global understanding with explainable AI for trees. Nat Mach Intell 2020;2:56-67.",
    "smd": "Yang D, Dalton JE. A unified approach to measuring the effect size between two groups using SAS. SAS Global Forum 2012, paper 335.",
    "survival": "Kaplan EL, Meier P. Nonparametric estimation from incomplete observations. J Am Stat Assoc 1958;53:457-481.",
    "tripod": "Collins GS, Moons KGM, Dhiman P, et al. TRIPOD+AI statement: updated guidance for reporting clinical prediction models that use regression or machine learning methods. BMJ 2024;385:e078378.",
    "nadeau": "Nadeau C, Bengio Y. Inference for the generalization error. Mach Learn 2003;52:239-281.",
}


class Cited:
    """Numbers references as they are used: `cited("holm")` gives [1]."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, *keys: str) -> str:
        found = [REFERENCES[key] for key in keys if key in REFERENCES]
        self.texts += [text for text in dict.fromkeys(found) if text not in self.texts]
        numbers = sorted({self.texts.index(text) + 1 for text in found})
        return f" [{', '.join(map(str, numbers))}]" if numbers else ""

    def listed(self) -> Sequence[str]:
        return list(self.texts)
