<?php

declare(strict_types=1);

namespace Gatehouse\Exception;

use Gatehouse\QuotaState;
use Gatehouse\RateLimitState;

/** A call failed. Neither the message nor a member contains the key, an email address or an IP of the request. */
class GatehouseException extends \RuntimeException
{
    /**
     * @param string $errorCode code of the API, or of this client: invalid_options, connection_failed, timeout, circuit_open, unexpected_response
     * @param ?int $status HTTP status; null where nothing was answered
     * @param ?string $param the field at fault
     * @param ?string $resolution advice on what to do about it
     * @param ?float $retryAfterMs time after which the same request may succeed
     * @param ?int $tries requests that were sent
     */
    final public function __construct(
        public readonly string $errorCode,
        string $message,
        public readonly ?int $status = null,
        public readonly ?string $param = null,
        public readonly ?string $resolution = null,
        public readonly ?float $retryAfterMs = null,
        public readonly ?RateLimitState $rateLimit = null,
        public readonly ?QuotaState $quota = null,
        public readonly ?int $tries = null,
    ) {
        parent::__construct($message);
    }
}
