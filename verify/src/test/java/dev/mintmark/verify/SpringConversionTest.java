package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mintmark.Ksuid;
import dev.mintmark.MalformedIdException;
import dev.mintmark.NanoId;
import dev.mintmark.ObjectId;
import dev.mintmark.Puri;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.Tsid;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Xid;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.core.convert.support.DefaultConversionService;

/** Spring's conversion service, which reads path variables and properties, without a converter. */
class SpringConversionTest {
  private static final ConversionService SPRING = DefaultConversionService.getSharedInstance();

  private static Stream<Object> values() {
    return Stream.of(
        Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z"),
        Snowflake.parse("18446744073709551615"),
        TypeId.parse("user_01h455vb4pex5vsknk084sn02q"),
        Tsid.parse("FZZZZZZZZZZZZ"),
        Ksuid.parse("0ujtsYcgvSTl8PAuAdqWYSMnLOv"),
        ObjectId.parse("507f1f77bcf86cd799439011"),
        Xid.parse("9m4e2mr0ui3e8a215n4g"),
        NanoId.parse("V1StGXR8_Z5jdHi6B-myT"),
        Puri.parse("SoundCloud:tracks:a%3Ab"));
  }

  @ParameterizedTest
  @MethodSource("values")
  void valueIsConvertedToItsTextAndBack(Object value) {
    assertThat(SPRING.convert(value, String.class)).isEqualTo(value.toString());
    assertThat((Object) SPRING.convert(value.toString(), value.getClass())).isEqualTo(value);
  }

  @Test
  void malformedTextIsTheCauseOfTheFailure() {
    assertThatExceptionOfType(ConversionFailedException.class)
        .isThrownBy(() -> SPRING.convert("01FZG96YPZ", Ulid.class))
        .withCauseInstanceOf(MalformedIdException.class);
  }

  @Test
  void sequenceIdIsNotReadWithoutItsFormat() {
    assertThatExceptionOfType(ConverterNotFoundException.class)
        .isThrownBy(() -> SPRING.convert("PM000123", SequenceId.class));
  }
}
