"""Random closed outlines: Fourier series with falling amplitudes, sampled at 48 angles."""
import numpy as np

ANGLES = np.linspace(0, 2 * np.pi, 48, endpoint=False)


def draw(count, harmonics=5, roughness=0.02):
    amplitude = np.random.randn(count, harmonics) / np.arange(1, harmonics + 1) ** 2
    phase = np.random.uniform(-0.4, 0.4, size=(count, harmonics))
    radius = np.ones((count, len(ANGLES)))
    for k in range(harmonics):
        radius += 0.3 * amplitude[:, k:k + 1] * np.cos((k + 1) * ANGLES + phase[:, k:k + 1])
    return radius + roughness * np.random.randn(*radius.shape)
