"""Risk factors: importances, SHAP values, effects."""
