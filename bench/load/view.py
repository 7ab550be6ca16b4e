"""What the page asks for at each step of a decoding: the pictures in its diagram, and one tensor that is open."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence

PICTURES = (
    "src_ids,src_embed.scaled,src_embed.positions,src_embed.sum,masks.encoder_self_attn,encoder.layers.0.self_attn.out,"
    "encoder.layers.0.self_attn_residual.norm.out,encoder.layers.0.feed_forward.out,memory,tgt_ids,tgt_embed.scaled,"
    "tgt_embed.positions,tgt_embed.sum,masks.decoder_self_attn,decoder.layers.0.self_attn.out,"
    "decoder.layers.0.self_attn_residual.norm.out,masks.cross_attn,decoder.layers.0.cross_attn.out,"
    "decoder.layers.0.cross_attn_residual.norm.out,decoder.layers.0.feed_forward.out,"
    "decoder.layers.1.feed_forward_residual.norm.out,logits,probs,log_probs"
)
OPEN = "logits"


def pictures_of(trace: str) -> str:
    """The address of the diagram's pictures."""
    return f"/api/traces/{trace}/tensors?names={PICTURES.replace(',', '%2C')}&index=batch%3A0&fit=12x6"


def open_tensor_of(trace: str) -> str:
    """The address of the open tensor's values."""
    return f"/api/traces/{trace}/tensors?names={OPEN}"


def last_row(file: bytes, name: str = OPEN) -> Sequence[float]:
    """The last row of a float32 tensor in a safetensors file."""
    (length,) = struct.unpack_from("<Q", file)
    entry = json.loads(file[8 : 8 + length])[name]
    width, end = entry["shape"][-1], 8 + length + entry["data_offsets"][1]
    return struct.unpack_from(f"<{width}f", file, end - 4 * width)
