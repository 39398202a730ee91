<?php

declare(strict_types=1);

namespace Gatehouse;

use Gatehouse\Exception\GatehouseException;
use Gatehouse\Model\Assessment;

/** The decision about a signup. */
final class SignupDecision
{
    /**
     * @param string $decision `allow`, `challenge`, `block`, or `invalid`: the text cannot be an email address; ask for another one
     * @param ?Assessment $assessment null where there is no verdict
     * @param ?string $ip the address that was sent; null where none is known
     * @param bool $mailUnwanted send no mail to the address before a proof that needs none, such as a CAPTCHA, also with `allow`
     * @param bool $failedOpen the signup is allowed because Gatehouse failed, not because it was found good
     * @param ?GatehouseException $error why there is no verdict
     */
    public function __construct(
        public readonly string $decision,
        public readonly ?Assessment $assessment = null,
        public readonly ?string $ip = null,
        public readonly bool $mailUnwanted = false,
        public readonly bool $failedOpen = false,
        public readonly ?GatehouseException $error = null,
    ) {
    }
}
