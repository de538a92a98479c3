"""What the oracle, property, coverage, truth and paper suites take from inside goldassay.

They ask `goldassay`, `goldassay.metrics` and the command. What has no public form (an inner
formula, a screen of a width, a damaged store) they take from here: the one file of these suites
that names inner modules, so that code can move. A test holds that.
"""

from __future__ import annotations

from goldassay import words
from goldassay.cli import command_line
from goldassay.counts import count_paired_scores, count_units
from goldassay.formulas import agreement, correlation, reliability
from goldassay.formulas import rates as rate_formulas
from goldassay.formulas.comparisons import Outcomes, comparisons_from_scores, pairs_of
from goldassay.formulas.orders import kendall_tau, spearman_rho, win_rate_accuracy, win_rate_error
from goldassay.formulas.rating_vectors import Side as VectorSide
from goldassay.formulas.reliability import coincidences, krippendorff_alpha, tally
from goldassay.formulas.strength import fit, fit_resamples
from goldassay.glossary import SHARED
from goldassay.inference import rates as rate_limits
from goldassay.inference.bootstrap import multiplicities
from goldassay.inference.changes import change
from goldassay.inference.orders import Side as OrderSide
from goldassay.inference.orders import agreement_ends
from goldassay.inference.posterior import Prior, hedged_draws, hedged_interval
from goldassay.inference.proportions import binomial
from goldassay.inference.rates import lang_reiczigel, stratified_limits
from goldassay.inference.significance import kendall_p_value, mcnemar, spearman_p_value
from goldassay.judges.items import read_items
from goldassay.judges.spec import read_judge
from goldassay.judges.tell import of_store
from goldassay.lab.reproduce import no_gold_labels, reproduce
from goldassay.lab.reproduce.agreement_metrics import examples
from goldassay.lab.reproduce.balanced_accuracy import CASES, TABLE_3
from goldassay.lab.reproduce.synthetic_judges import SMOOTHING, scores, shown_definitions
from goldassay.lab.scenarios.allocation import label_in_batches, separate_set
from goldassay.lab.scenarios.rates import Scenario as RateScenario
from goldassay.lab.scenarios.rates import coverage as scenario_coverage
from goldassay.lab.scenarios.rates import draw as drawn_scenario
from goldassay.lab.scenarios.selection import Scenarios, golden_metrics, simulate_choice
from goldassay.metrics.tables import Setting as TableSetting
from goldassay.passport import FIELDS, Expiry, Identity, Passport, digest_of, passport_of
from goldassay.proposals.propose import propose
from goldassay.questions.agree import declared_mode, resolved
from goldassay.questions.audit.performance import ALL_ALIKE
from goldassay.questions.compare.pair_words import is_practical
from goldassay.questions.estimate.binary import corrected
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.estimators import (
    CALIBRATION_ONLY,
    ESTIMATORS,
    STRATIFIED,
    Estimator,
)
from goldassay.questions.estimate.estimators import Counts as RateCounts
from goldassay.questions.estimate.estimators import Settings as EstimateSettings
from goldassay.questions.estimate.label_use import LabelUse
from goldassay.questions.estimate.means import moments, ppi_mean
from goldassay.questions.estimate.multinomial import rates_by_confusion, rates_by_verdict
from goldassay.questions.estimate.sample import Sample, designs_of
from goldassay.questions.estimate.strata import rogan_gladen_by, stratified_by
from goldassay.questions.estimate.systems import leaderboard
from goldassay.questions.plan.designs import BY_VERDICT, Purpose, length_of_shares
from goldassay.questions.plan.precision import JudgeRates
from goldassay.questions.rank.aggregation import mean_scores
from goldassay.questions.rank.anova import anova, tukey_hsd
from goldassay.questions.rank.attributes import read_attributes
from goldassay.questions.rank.behaviour import (
    beta_curve,
    bias_delta,
    decisiveness,
    paired_t_test,
    system_bias,
)
from goldassay.questions.rank.contest import Contest
from goldassay.questions.rank.gold import GivenGold, merged_battles
from goldassay.questions.rank.items import ItemAgreement
from goldassay.questions.rank.judged import Ranker
from goldassay.questions.rank.judged import Settings as RankSettings
from goldassay.questions.rank.medians import median_ends
from goldassay.questions.rank.resampling import Draw as PromptDraw
from goldassay.questions.rank.resampling import draw_prompts
from goldassay.questions.rank.study import Options as RankOptions
from goldassay.questions.rank.study import study as rank_study
from goldassay.questions.rank.systems import ranked_systems
from goldassay.questions.rank.uncertainty import differences, percentile_ends
from goldassay.questions.standing import standing_said
from goldassay.ratings.fetch import fetch
from goldassay.rendering.columns import width_of
from goldassay.rendering.formats import rendered
from goldassay.rendering.full_text import render_full
from goldassay.rendering.how import facts_of
from goldassay.rendering.text import BEST, FEW, LONG, SHORT, Screen, render_text
from goldassay.results import Result, Row
from goldassay.sources.frames import open_source
from goldassay.sources.importers import IMPORTERS
from goldassay.standing import Now, standing
from goldassay.store import Label, add_label, open_store, store_errors
from goldassay.web.exports import label_rows
