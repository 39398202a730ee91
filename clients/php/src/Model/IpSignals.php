<?php

declare(strict_types=1);

namespace Gatehouse\Model;

/** Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit. */
final class IpSignals
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
        /** The public IP used for scoring, in canonical form (RFC 5952 for IPv6). */
        public readonly string $address,
        /** Known Tor exit node. */
        public readonly bool $tor,
        /** Known VPN endpoint. */
        public readonly bool $vpn,
        /** Known anonymous proxy. */
        public readonly bool $proxy,
        /** Known privacy relay egress, distinct from VPN and proxy. */
        public readonly bool $relay,
        /** Datacenter or hosting ASN. */
        public readonly bool $datacenter,
        /** Abuse reputation, 0 to 100. */
        public readonly int $abuseScore,
        /** ISO 3166-1 alpha-2 code; empty when unknown. */
        public readonly string $countryCode,
        /** English country name; empty when unknown. */
        public readonly string $country,
        /** `AS` and the number; `AS0` when unknown. */
        public readonly string $asn,
        public readonly array $raw,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            Read::text($data, 'address'),
            Read::flag($data, 'tor'),
            Read::flag($data, 'vpn'),
            Read::flag($data, 'proxy'),
            Read::flag($data, 'relay'),
            Read::flag($data, 'datacenter'),
            Read::integer($data, 'abuse_score'),
            Read::text($data, 'country_code'),
            Read::text($data, 'country'),
            Read::text($data, 'asn'),
            $data,
        );
    }
}
