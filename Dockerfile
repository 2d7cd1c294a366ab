# An image for grids: `docker build -t rate_nb:0.1.0 .`; docs/recipes.md uses it
FROM python:3.11-slim-bookworm
WORKDIR /src
COPY . .
# the CPU build of torch; for a GPU: --build-arg TORCH_INDEX=https://download.pytorch.org/whl/cu126
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
# lock.txt pins the versions that were tested
# hadolint ignore=DL3013
RUN pip install --no-cache-dir -c lock.txt torch --index-url "$TORCH_INDEX" \
    && pip install --no-cache-dir -c lock.txt '.[hub]' \
    && useradd --create-home --uid 1000 rate
WORKDIR /work
RUN chown rate /work
USER 1000
ENTRYPOINT []
CMD ["rate_nb", "--help"]
