<?php

declare(strict_types=1);

namespace Gatehouse;

use Gatehouse\Model\ChallengeConfirmation;

/** The decision about a form that was sent. */
final class FormDecision
{
    /**
     * @param string $decision `allow`: create the account; `challenge`: show the form again, with the proof of work, a field for the code, or the CAPTCHA; `block`; or `invalid`: the text cannot be an email address
     * @param ?array<string, mixed> $challenge keep it on your server, in the visitor's session, until the form is sent again; null: forget what was kept
     * @param ?ChallengeConfirmation $mail send its link, its code or both to the address now; null: send nothing
     * @param bool $asksCaptcha with `challenge`: whether a CAPTCHA is asked for, instead of the code from the mail
     * @param ?string $proof with `challenge`: the proof of work that the visitor's browser does, for `ProofField`; null: something else is asked for
     * @param ?string $problem with `challenge`: what was wrong with the answer, `wrong_code`, `captcha` or `proof`; null the first time; `mails_used`: the signup gets no other mail; the code of the newest one still counts; `mailbox_full`: others have used up the mails of the address; there is nothing to ask for, and she may try again later; `unavailable`: Gatehouse gave no answer, onFailure is `challenge`, and there is nothing to ask: try again later
     * @param bool $mustConfirm with `allow`: there was no verdict, or no answer about the challenge. Confirm the address in your own way
     * @param string $reference the person's reference for your support: the id of the signup, or `none`
     * @param ?SignupDecision $signup the assessment behind it; null where an answer to a challenge decided
     */
    public function __construct(
        public readonly string $decision,
        public readonly ?array $challenge = null,
        public readonly ?ChallengeConfirmation $mail = null,
        public readonly bool $asksCaptcha = false,
        public readonly ?string $proof = null,
        public readonly ?string $problem = null,
        public readonly bool $mustConfirm = false,
        public readonly string $reference = 'none',
        public readonly ?SignupDecision $signup = null,
    ) {
    }

    /** The same decision, of an assessment. */
    public function of(SignupDecision $signup): self
    {
        return new self(...['signup' => $signup, 'reference' => $signup->assessment?->requestId ?? 'none'] + get_object_vars($this));
    }
}
