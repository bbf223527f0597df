package dev.mintmark.postgres.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class CopyBufferTest {
  @Test
  void memoryOfALargeRowIsGivenBackWhenTheRowIsDropped() {
    CopyBuffer buffer = new CopyBuffer();
    assertThat(buffer.capacity()).isEqualTo(1 << 17);
    buffer.putLong(1);
    buffer.endRow();

    buffer.putBytes(new byte[1 << 25]);
    assertThat(buffer.capacity()).isGreaterThan(1 << 25);
    assertThatIllegalArgumentException().isThrownBy(() -> buffer.putBytes(new byte[1 << 26]));
    buffer.dropRow();

    assertThat(buffer.capacity()).isEqualTo(1 << 17);
    buffer.putBytes(new byte[CopyBuffer.SIZE - Long.BYTES]);
    assertThat(buffer.isFull()).isTrue();
  }
}
