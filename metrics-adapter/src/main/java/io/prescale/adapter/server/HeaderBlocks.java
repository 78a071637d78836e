package io.prescale.adapter.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Notes where the header blocks of HTTP/2 begin and end, which is where requests do. Stands before
 * the decoder, which passes nothing on before a block is whole; what is no HTTP/2 it refuses.
 */
final class HeaderBlocks extends ChannelInboundHandlerAdapter {
  private static final int PREFACE_BYTES = 24;

  /** Of a frame's first bytes: the length of its payload (3), its type and its flags. */
  private static final int KNOWN_BYTES = 5;

  /** The rest of what is before the payload: the number of the stream. */
  private static final int STREAM_BYTES = 4;

  private static final int HEADERS = 1;
  private static final int END_HEADERS = 4;

  private final RequestArrival arrival;
  private long known;
  private int knownBytes;

  /** Up to the end of the frame. */
  private int left = PREFACE_BYTES;

  private boolean isInBlock;
  private boolean endsBlock;

  HeaderBlocks(RequestArrival arrival) {
    this.arrival = arrival;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof ByteBuf bytes) {
      read(bytes);
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (isInBlock) {
      arrival.expect();
    }
    ctx.fireChannelReadComplete();
  }

  private void read(ByteBuf bytes) {
    int at = bytes.readerIndex();
    while (at < bytes.writerIndex()) {
      if (left == 0) {
        known = (known << Byte.SIZE) | bytes.getUnsignedByte(at++);
        if (++knownBytes == KNOWN_BYTES) {
          begin();
        }
      } else {
        int passed = Math.min(left, bytes.writerIndex() - at);
        at += passed;
        left -= passed;
        if (left == 0 && endsBlock) {
          end();
        }
      }
    }
  }

  /** Within a block there are no frames but those that continue it. */
  private void begin() {
    int type = (int) (known >> Byte.SIZE) & 0xff;
    isInBlock |= type == HEADERS;
    endsBlock = isInBlock && (known & END_HEADERS) != 0;
    left = STREAM_BYTES + (int) (known >> (2 * Byte.SIZE));
    known = 0;
    knownBytes = 0;
  }

  private void end() {
    isInBlock = false;
    endsBlock = false;
    arrival.complete();
  }
}
