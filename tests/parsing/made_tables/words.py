"""Names in made tables: methods, data sets, metrics, groups, units."""

METHODS = (
    "PPO", "A2C", "SAC", "TD3", "DQN", "Rainbow", "IMPALA", "DreamerV2", "MuZero", "REINFORCE", "ResNet-50", "ViT-B/16",
    "DenseNet-121", "EfficientNet-B0", "BERT-base", "RoBERTa-large", "T5-small", "GPT-2", "LSTM", "Transformer-XL",
    "Random search", "Grid search", "BOHB", "Hyperband", "SimCLR", "MoCo v2", "BYOL", "Mean teacher", "Pseudo-label",
    "FixMatch", "Logistic regression", "Random forest", "XGBoost", "Ours", "Ours (small)", "Ours w/o pre-training",
    "+ data augmentation", "+ label smoothing", "w/o attention", "Full model", "SGD", "Adam", "AdamW", "k-NN", "SVM",
)  # fmt: skip
LONG_METHODS = (
    "Hierarchical transformer with relative attention and shared weights",
    "Ours without the auxiliary contrastive loss",
    "Deep ensembles of five independently trained networks", "Recurrent policy with distributional value head",
    "Pre-trained encoder, frozen, with linear probe on top", "Prioritised replay and multi-step returns",
    "Graph convolution over the dependency parse", "Self-training on pseudo-labels of the teacher",
    "Full model", "PPO baseline", "Majority class",
)  # fmt: skip
DATASETS = (
    "CIFAR-10", "CIFAR-100", "ImageNet", "SVHN", "MNIST", "SST-2", "MNLI", "QQP", "QNLI", "CoLA", "SQuAD", "HotpotQA",
    "WikiText-103", "PTB", "LibriSpeech", "COCO", "ADE20K", "Cityscapes", "Hopper", "Walker2d", "Ant", "HalfCheetah",
    "Humanoid", "Pong", "Breakout", "Seaquest", "GSM8K", "MATH", "HumanEval", "ARC-c", "Maze", "Chain",
)  # fmt: skip
METRICS = (
    "Acc.", "F1", "Precision", "Recall", "AUC", "BLEU", "ROUGE-L", "NLL", "ECE", "Brier", "mAP", "mIoU", "Return",
    "Regret", "FID", "IS", "PSNR", "SSIM", "EM", "Pass@1", "MAE", "RMSE", "Top-1", "Top-5", "CER", "WER",
)  # fmt: skip
LONG_HEADERS = (
    "Mean episodic return", "Wall-clock time to solve", "Expected calibration error", "Sample efficiency at 100k steps",
    "Top-1 accuracy on the test set", "Area under the curve", "Normalised human score", "Number of parameters",
)  # fmt: skip
OVER = ("In-domain", "Out-of-domain", "Seen classes", "Unseen classes", "Low data", "Full data", "Clean", "Corrupted")
GROUPS = (
    "Model-free methods", "Model-based methods", "Supervised", "Self-supervised", "Convolutional networks",
    "Transformers", "Zero-shot", "Fine-tuned", "Without augmentation", "With augmentation", "Single model", "Ensembles",
    "Small models (< 100M)", "Open weights", "Trained for 100 epochs",
)  # fmt: skip
OUTER = ("CIFAR-10", "ImageNet", "GLUE", "Atari", "MuJoCo", "ResNet-18", "Base", "Large", "LSTM", "Offline", "Online")
NUMBERS = (
    ("1", "5", "10", "20", "50", "100"), ("0.1", "0.2", "0.5", "0.8", "0.9", "0.99"), ("2", "4", "8", "16", "32", "64"),
    ("10%", "20%", "30%", "50%", "80%", "100%"), ("10³", "10⁴", "10⁵", "10⁶", "10⁷", "10⁸"),
)  # fmt: skip
TITLES = ("Number of labels", "Training steps", "Noise level", "Batch size", "Context length", "Top-k")
CORNERS = ("Method", "Model", "Algorithm", "Approach", "System", "Variant")
UNITS: tuple[tuple[str, str, str | None, str | None], ...] = (
    ("Acc.", "%", "%", None), ("Latency", "ms", "ms", None), ("Memory", "GB", "GB", None), ("Time", "h", "h", None),
    ("Params", "M", None, "1000000"), ("FLOPs", "×10⁹", None, "1000000000"), ("Error", "%", "%", None),
    ("Energy", "kWh", "kWh", None), ("Throughput", "img/s", "img/s", None), ("Runtime", "s", "s", None),
    ("Steps", "×10³", None, "1000"), ("WER", "%", "%", None), ("Samples", "K", None, "1000"),
)  # fmt: skip
PARAMETERS = (
    ("λ = 0.1", "λ = 0.5", "λ = 1.0", "λ = 2.0", "λ = 5.0"), ("k = 1", "k = 2", "k = 4", "k = 8", "k = 16"),
    ("L = 2, d = 64", "L = 4, d = 64", "L = 4, d = 128", "L = 8, d = 128"), ("α=0.9", "α=0.99", "α=0.999", "α=1"),
    ("10 epochs", "50 epochs", "100 epochs", "200 epochs"), ("τ → 0", "τ = 0.07", "τ = 0.5", "τ → ∞"),
)  # fmt: skip
COUNTS = (
    ("1", "2", "4", "8", "16"),
    ("64", "128", "256", "512"),
    ("0.0", "0.1", "0.3", "0.5"),
    ("2017", "2018", "2019"),
)
CITED = (
    "PPO [12]", "A2C [7]", "SAC [19, 20]", "BERT (Devlin et al., 2019)", "GPT-2 (Radford et al., 2019)", "ViT [4]",
    "MoCo v2 [3, 11]", "XGBoost (Chen and Guestrin, 2016)", "LSTM [31]", "Ours", "Adam (Kingma & Ba, 2015)",
)  # fmt: skip
CHECKS = ("Aug.", "Pre-tr.", "EMA", "Mixup", "LS", "Aux.")
LINES = ("Top-1\nAcc.", "Mean\nreturn", "Params\nused", "Train\ntime", "Human\nnorm.", "Test\nerror", "Macro\nF1")
