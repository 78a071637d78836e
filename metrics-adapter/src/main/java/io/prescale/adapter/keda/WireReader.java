package io.prescale.adapter.keda;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads a protocol-buffers message of a stranger field by field (protobuf.dev, "Encoding"): call
 * {@link #next}, then the method for the type of the field, or {@link #skip}.
 */
final class WireReader {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int DELIMITED = 2;
  private static final int FIXED_32 = 5;
  private static final int LONGEST_VARINT = 64;

  private final ByteBuffer in;
  private int type;

  /** The bytes are no message of the expected form. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  WireReader(byte[] message) {
    this(ByteBuffer.wrap(message));
  }

  private WireReader(ByteBuffer in) {
    this.in = in;
  }

  /** The number of the next field; 0 at the end. */
  int next() throws MalformedException {
    if (!in.hasRemaining()) {
      return 0;
    }
    long tag = varint();
    type = (int) (tag & 7);
    if (tag >>> 3 == 0 || tag >>> 3 > Integer.MAX_VALUE >>> 2) {
      throw new MalformedException("a field has the number " + (tag >>> 3));
    }
    return (int) (tag >>> 3);
  }

  String text() throws MalformedException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(delimited()).toString();
    } catch (CharacterCodingException _) {
      throw new MalformedException("a string is not UTF-8");
    }
  }

  WireReader message() throws MalformedException {
    return new WireReader(delimited());
  }

  void skip() throws MalformedException {
    switch (type) {
      case VARINT -> varint();
      case FIXED_64 -> slice(Long.BYTES);
      case DELIMITED -> delimited();
      case FIXED_32 -> slice(Integer.BYTES);
      default -> throw new MalformedException("a field has the type " + type);
    }
  }

  private ByteBuffer delimited() throws MalformedException {
    if (type != DELIMITED) {
      throw new MalformedException("a string or message has the type " + type);
    }
    return slice(varint());
  }

  private ByteBuffer slice(long length) throws MalformedException {
    if (length < 0 || length > in.remaining()) {
      throw new MalformedException("a field is longer than the message");
    }
    var slice = in.slice(in.position(), (int) length);
    in.position(in.position() + (int) length);
    return slice;
  }

  private long varint() throws MalformedException {
    try {
      long value = 0;
      for (int shift = 0; shift < LONGEST_VARINT; shift += 7) {
        byte next = in.get();
        value |= (long) (next & 0x7f) << shift;
        if (next >= 0) {
          return value;
        }
      }
    } catch (BufferUnderflowException _) {
      throw new MalformedException("the message ends in a number");
    }
    throw new MalformedException("a number has more than 64 bits");
  }
}
