# Alehouse with all games compiled, for a user without rights: see docs/where_it_runs.md.
FROM python:3.13-slim

# libgomp is OpenMP, by which kernels run on several threads.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libgomp1 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 10001 alehouse \
    && install --directory --owner=alehouse /opt/alehouse

RUN --mount=type=bind,target=/source,rw \
    pip install --no-cache-dir --constraint /source/constraints.txt "/source[cli,play,web]"

ENV NUMBA_CACHE_DIR=/opt/alehouse/kernels
USER 10001
WORKDIR /home/alehouse
RUN alehouse warmup --jobs 4

ENTRYPOINT ["alehouse"]
CMD ["doctor"]
