package dev.mintmark;

import static dev.mintmark.Slot.fixed;
import static dev.mintmark.Slot.plain;

import java.math.BigInteger;

/**
 * The layouts of addresses: of networks, of contents and of ledgers. See {@link Layouts} for their
 * order.
 */
final class AddressLayouts {
  /** RFC 791. */
  static final Layout IPV4 =
      Layout.shape(
          "ipv4",
          Written.as(Evidence.NOTATION, Notation.IPV4),
          plain(32, "address", "address of IPv4"));

  /** RFC 4291. */
  static final Layout IPV6 =
      Layout.shape(
          "ipv6",
          Written.as(Evidence.NOTATION, Notation.IPV6),
          plain(64, "network", "network and subnet"),
          plain(64, "node", "interface"));

  /** IEEE 802. */
  static final Layout MAC =
      Layout.shape(
          "mac",
          Written.as(Evidence.NOTATION, Notation.MAC),
          plain(24, "oui", "the manufacturer"),
          plain(24, "node", "number of the interface"));

  /** RFC 1321; any 128 bits in hexadecimal digits look like it. */
  static final Layout MD5 =
      Layout.shape(
          "md5", Written.as(Evidence.SHAPE, Notation.PLAIN), plain(128, "digest", "the digest"));

  /** FIPS 180-4; Git writes its objects so. */
  static final Layout SHA_1 =
      Layout.shape(
          "sha-1",
          Written.as(Evidence.NOTATION, Notation.KSUID_HEX),
          plain(160, "digest", "the digest"));

  /** FIPS 180-4 and 202: SHA-224 and SHA3-224. */
  static final Layout DIGEST_224 =
      Layout.shape(
          "digest-224",
          Written.as(Evidence.NOTATION, Notation.HEX_56),
          plain(224, "digest", "the digest"));

  /** FIPS 180-4 and 202: SHA-256 and SHA3-256, also BLAKE2s and BLAKE3. */
  static final Layout DIGEST_256 =
      Layout.shape(
          "digest-256",
          Written.as(Evidence.NOTATION, Notation.HEX_64),
          plain(256, "digest", "the digest"));

  /** FIPS 180-4 and 202: SHA-384 and SHA3-384. */
  static final Layout DIGEST_384 =
      Layout.shape(
          "digest-384",
          Written.as(Evidence.NOTATION, Notation.HEX_96),
          plain(384, "digest", "the digest"));

  /** FIPS 180-4 and 202: SHA-512 and SHA3-512, also BLAKE2b. */
  static final Layout DIGEST_512 =
      Layout.shape(
          "digest-512",
          Written.as(Evidence.NOTATION, Notation.HEX_128),
          plain(512, "digest", "the digest"));

  /** docs.ipfs.tech, "Content Identifiers": a multihash of SHA-256. */
  static final Layout IPFS_V0 =
      Layout.shape(
          "ipfs-cid",
          Written.as(Evidence.NOTATION, Notation.IPFS_V0),
          fixed(8, "hash_code", BigInteger.valueOf(0x12), "SHA-256"),
          fixed(8, "hash_length", BigInteger.valueOf(32), "bytes of the digest"),
          plain(256, "digest", "SHA-256 of the content"));

  /** docs.ipfs.tech, "Content Identifiers", version 1 with SHA-256. */
  static final Layout IPFS_V1 =
      Layout.shape(
          "ipfs-cid",
          Written.as(Evidence.NOTATION, Notation.IPFS_V1),
          fixed(8, "version", BigInteger.valueOf(1), "version of the CID"),
          plain(8, "codec", "multicodec of the content: 85 raw, 112 dag-pb, 113 dag-cbor"),
          fixed(8, "hash_code", BigInteger.valueOf(0x12), "SHA-256"),
          fixed(8, "hash_length", BigInteger.valueOf(32), "bytes of the digest"),
          plain(256, "digest", "SHA-256 of the content"));

  /** specs.ipfs.tech, "IPNS Record and Protocol": a public key of Ed25519. */
  static final Layout IPNS =
      Layout.shape(
          "ipns-name",
          Written.as(Evidence.NOTATION, Notation.IPNS),
          fixed(8, "version", BigInteger.valueOf(1), "version of the CID"),
          fixed(8, "codec", BigInteger.valueOf(0x72), "libp2p-key"),
          fixed(8, "hash_code", BigInteger.ZERO, "identity"),
          fixed(8, "hash_length", BigInteger.valueOf(36), "bytes of the key"),
          fixed(32, "key_type", BigInteger.valueOf(0x0801_1220L), "a key of Ed25519 of 32 bytes"),
          plain(256, "key", "the public key"));

  /** ISO/IEC 18670, the Software Hash Identifier. */
  static final Layout SWHID =
      Layout.shape(
          "swhid",
          Written.as(Evidence.NOTATION, Notation.SWHID),
          plain(160, "digest", "SHA-1 of the object"));

  /** ethereum.org, "Ethereum accounts". */
  static final Layout ETHEREUM =
      Layout.shape(
          "ethereum-address",
          Written.as(Evidence.NOTATION, Notation.ETHEREUM),
          plain(
              160,
              "address",
              "end of the Keccak-256 of the public key; its letter case is not checked"));

  /** en.bitcoin.it, "Base58Check encoding". */
  static final Layout BITCOIN =
      Layout.shape(
          "bitcoin-address",
          Written.as(Evidence.NOTATION, Notation.BITCOIN_BASE58),
          plain(280, "text", "the address, 8 bits per character"));

  /** BIP 173 and BIP 350. */
  static final Layout BITCOIN_SEGWIT =
      Layout.shape(
          "bitcoin-address",
          Written.as(Evidence.NOTATION, Notation.BITCOIN_BECH32),
          plain(592, "text", "the address, 8 bits per character"));

  private AddressLayouts() {}
}
