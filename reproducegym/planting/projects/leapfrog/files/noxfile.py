import nox


@nox.session(python="3.11")
def chain(session):
    session.install("--require-hashes", "-r", "requirements.txt")
    session.run("python", "-m", "leapfrog", "funnel", env={"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"})
