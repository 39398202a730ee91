<?php

declare(strict_types=1);

namespace Gatehouse\Model;

/** Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit. `ip` is present only when ip_provided is true. Members may be added. */
final class Signals
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
        public readonly EmailSignals $email,
        public readonly VelocitySignals $velocity,
        public readonly ?IpSignals $ip,
        public readonly array $raw,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            EmailSignals::fromArray(Read::members($data, 'email')),
            VelocitySignals::fromArray(Read::members($data, 'velocity')),
            isset($data['ip']) ? IpSignals::fromArray(Read::members($data, 'ip')) : null,
            $data,
        );
    }
}
