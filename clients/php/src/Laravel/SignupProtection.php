<?php

declare(strict_types=1);

namespace Gatehouse\Laravel;

use Gatehouse\Captcha;
use Gatehouse\Form;
use Gatehouse\FormDecision;
use Gatehouse\Gatehouse;
use Gatehouse\Model\ChallengeConfirmation;
use Gatehouse\ProofField;
use Illuminate\Contracts\Container\Container;
use Illuminate\Foundation\Vite;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Lang;
use Illuminate\Validation\ValidationException;

/** Decides about one signup of Laravel: keeps its challenge in the visitor's session, and sends the mail. */
final class SignupProtection
{
    /** Attribute of the request with the last `FormDecision`. */
    public const ATTRIBUTE = 'gatehouse';
    private const SESSION_KEY = 'gatehouse_challenge';
    private const PROOF = 'Please send the form again. Your browser calculates for some seconds first, which makes mass sign-ups by programs expensive.';

    public function __construct(private readonly Container $app)
    {
    }

    /**
     * Call it after your own validation, before the account is created.
     *
     * @throws ValidationException with what the visitor must do, as Laravel's own validation
     */
    public function protect(Request $request, mixed $email, string $field = 'email'): FormDecision
    {
        $decision = $this->check($request, $email);
        $errors = self::errors($decision, $field);
        if ($errors !== []) {
            throw ValidationException::withMessages($errors);
        }

        return $decision;
    }

    /** Decides, and never throws. A request is decided once. */
    public function check(Request $request, mixed $email): FormDecision
    {
        [$known, $decided] = $request->attributes->get(self::ATTRIBUTE . '.of') ?? [null, null];
        if ($decided instanceof FormDecision && $known === $email) {
            return $decided;
        }
        try {
            $decision = $this->decide($request, $email);
        } catch (\Throwable $error) {
            // The settings are wrong, or a mail server is away: neither must stop a signup.
            $this->app->make('log')->error("gatehouse: no verdict for a signup: {$error->getMessage()}");
            $decision = $this->app->make('config')->get('gatehouse.on_failure') === 'challenge'
                ? new FormDecision('challenge', problem: 'unavailable')
                : new FormDecision('allow', mustConfirm: true);
        }
        $request->attributes->set(self::ATTRIBUTE, $decision);
        $request->attributes->set(self::ATTRIBUTE . '.of', [$email, $decision]);

        return $decision;
    }

    /** @return array<string, string> field → text for the visitor; empty where the account may be created */
    public static function errors(FormDecision $decision, string $field = 'email'): array
    {
        return match ($decision->decision) {
            'challenge' => [Form::CODE_FIELD => self::challengeText($decision)],
            'invalid' => [$field => Lang::get('Please check your email address.')],
            'block' => [$field => Lang::get('We cannot create this account. Reference: :reference', ['reference' => $decision->reference])],
            default => [],
        };
    }

    /** @return list<array{string, string, string}> class, site key and script of the CAPTCHA that is set */
    public static function captchaElements(): array
    {
        return array_filter([Captcha::widget(config('gatehouse.captcha'))]);
    }

    /** @param array<string, mixed> $kept what the session has of the challenge */
    public static function proofHtml(array $kept): string
    {
        $texts = array_map(static fn (string $text): string => (string) Lang::get($text), ProofField::TEXTS);
        // Laravel 8 has no such class.
        $nonce = class_exists(Vite::class) ? app(Vite::class)->cspNonce() : null;

        return ProofField::html($kept['proof'], $kept['token'], $nonce, $texts);
    }

    private function decide(Request $request, mixed $email): FormDecision
    {
        $config = $this->app->make('config')->get('gatehouse');
        $session = $request->hasSession() ? $request->session() : null;
        $captcha = Captcha::widget($config['captcha']) === null ? false : (string) array_key_first($config['captcha']);
        $decision = $this->app->make(Gatehouse::class)->protectForm(
            $request,
            $email,
            fields: $request->all(),
            challenge: $session?->get(self::SESSION_KEY),
            returnUrl: $config['return_url'],
            captcha: $captcha,
            // A configuration that was cached before an upgrade lacks it.
            check: $config['check'] ?? null,
            ip: $config['trusted_proxies'] === null ? $request->ip() : false,
        );
        if ($decision->mail !== null) {
            $decision = $this->mailOrRefuse($request, (string) $email, $decision, $decision->mail);
        }
        if ($session === null && $decision->challenge !== null) {
            $this->app->make('log')->error('gatehouse: nobody can answer a challenge: the route has no session');
        }
        $decision->challenge === null
            ? $session?->forget(self::SESSION_KEY)
            : $session?->put(self::SESSION_KEY, $decision->challenge);

        return $decision;
    }

    /** Throws where nobody can be mailed. */
    private function mailOrRefuse(Request $request, string $email, FormDecision $decision, ChallengeConfirmation $mail): FormDecision
    {
        $own = $this->app->make('config')->get('gatehouse.send_mail');
        $send = $own === null ? $this->sendConfirmation(...) : $this->app->make($own);
        try {
            $send($request, $email, $mail);

            return $decision;
        } catch (\Throwable $error) {
            if (MailFault::isAway($error)) {
                throw $error;
            }
            $this->app->make('log')->error('gatehouse: the mail with the code was refused, the signup is not let in: ' . $error::class);

            return new FormDecision('invalid', reference: $decision->reference, signup: $decision->signup);
        }
    }

    private function sendConfirmation(Request $request, string $email, ChallengeConfirmation $mail): void
    {
        // From the settings: what the request says comes from the visitor.
        $host = parse_url((string) $this->app->make('config')->get('app.url'), PHP_URL_HOST);
        $where = is_string($host) && $host !== '' ? ' at :host' : '';
        $text = Lang::get(
            "Somebody, probably you, signs up$where with this address.\n\n"
            . "Enter this code there: :code\nOr open this page, and press its button: :link\n\n"
            . "If it was not you, ignore this mail: no account is created.\n",
            ['host' => (string) $host, 'code' => $mail->code, 'link' => $mail->link],
        );
        $subject = Lang::get('Your code: :code', ['code' => $mail->code]);
        $this->app->make('mailer')->raw($text, static fn ($message) => $message->to($email)->subject($subject));
    }

    private static function challengeText(FormDecision $decision): string
    {
        return match (true) {
            $decision->problem === 'unavailable' => Lang::get('Please try again in a few minutes.'),
            $decision->problem === 'proof' => Lang::get('The check did not succeed. Please send the form again.'),
            $decision->proof !== null => Lang::get(self::PROOF),
            $decision->asksCaptcha => Lang::get('Please show that you are a person.'),
            $decision->problem === 'wrong_code' => Lang::get('This code is wrong.'),
            $decision->problem === 'mails_used' => Lang::get('We have sent several mails for this sign-up. Use the newest one.'),
            $decision->problem === 'mailbox_full' => Lang::get('This address has had many mails, maybe by others. Please try again later, and use no mail that you did not ask for.'),
            default => Lang::get('We have sent you a mail with a code.'),
        };
    }
}
