FROM python:3.11-slim AS build

# Where torch without CUDA comes from: the address of an index that has it, as PyTorch's "Start locally" page gives it for
# CPU. Empty, torch is what pip's own index has, which on Linux brings several gigabytes of CUDA along.
ARG TORCH_INDEX_URL=""

RUN python -m venv /opt/glassformer
ENV PATH="/opt/glassformer/bin:$PATH"
WORKDIR /source

# torch is by far the largest part and changes least: a layer of its own.
COPY constraints.txt ./
RUN pip install --no-cache-dir ${TORCH_INDEX_URL:+--index-url "$TORCH_INDEX_URL"} -c constraints.txt torch

COPY . ./
RUN pip install --no-cache-dir -c constraints.txt .


FROM python:3.11-slim

COPY --from=build /opt/glassformer /opt/glassformer
ENV PATH="/opt/glassformer/bin:$PATH" \
    PYTHONUNBUFFERED=1 \
    OMP_NUM_THREADS=1 \
    GLASSFORMER_DATA_FOLDER=/data

RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin glassformer \
    && install --directory --owner=10001 /data
VOLUME /data
USER 10001
WORKDIR /tmp

EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["glassformer", "--host", "0.0.0.0", "--port", "8000", "--no-browser"]
