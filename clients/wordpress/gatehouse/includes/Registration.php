<?php

declare(strict_types=1);

namespace Gatehouse\WordPress;

use Gatehouse\Form;
use Gatehouse\FormDecision;
use Gatehouse\Model\ChallengeConfirmation;
use Gatehouse\ProofField;
use Gatehouse\ProofScript;

/** Decides about a registration once the form is valid, and shows the field that a challenge needs. */
final class Registration
{
    /** After the checks of other plugins: what they refuse costs no credit. */
    private const LATE = 1000;
    /** Faults of the mail server or its settings, as WordPress's mailer words them. */
    private const AWAY = '/SMTP connect\(\) failed|SMTP Error: Could not (?:connect|authenticate)/i';

    /** @var array<string, FormDecision> by address: a form is decided once in a request */
    private array $decided = [];

    public function __construct(private readonly Settings $settings, private readonly ChallengeCookie $cookie)
    {
    }

    public function register(): void
    {
        add_filter('registration_errors', [$this, 'check'], self::LATE, 3);
        add_action('register_form', [$this, 'showChallenge']);
        // WooCommerce has the same arguments.
        add_filter('woocommerce_registration_errors', [$this, 'check'], self::LATE, 3);
        add_action('woocommerce_register_form', [$this, 'showChallenge']);
    }

    /**
     * @param mixed $errors a `WP_Error`
     * @param mixed $login
     * @param mixed $email
     */
    public function check($errors, $login, $email)
    {
        if (!$errors instanceof \WP_Error || $errors->has_errors() || !$this->settings->isComplete() || self::isByStaff()) {
            return $errors;
        }
        $decision = $this->decided[(string) $email] ??= $this->decide((string) $email);
        $text = $this->textOf($decision);
        if ($text !== null) {
            // WordPress shows a `message` as news, and all else as a fault.
            $isNews = $decision->mail !== null;
            $errors->add('gatehouse_' . $decision->decision, esc_html($text), $isNews ? 'message' : '');
        }

        return $errors;
    }

    /** Writes the field for the code, or the CAPTCHA, where the visitor was challenged. */
    public function showChallenge(): void
    {
        $kept = $this->settings->isComplete() ? $this->cookie->read() : null;
        if ($kept === null) {
            return;
        }
        $captcha = ($kept['captcha'] ?? false) === true ? $this->settings->captcha() : null;
        if ($captcha !== null) {
            [$class, $siteKey, $script] = $captcha;
            printf('<div class="%s" data-sitekey="%s"></div>', esc_attr($class), esc_attr($siteKey));
            wp_print_script_tag(['src' => esc_url($script), 'async' => true, 'defer' => true]);

            return;
        }
        if (isset($kept['proof'])) {
            $this->showProof($kept);

            return;
        }
        printf(
            '<p><label for="%1$s">%2$s</label><input type="text" id="%1$s" name="%1$s" class="input" inputmode="numeric" autocomplete="one-time-code"></p>',
            esc_attr(Form::CODE_FIELD),
            esc_html__('Code from our mail (empty if you have opened its link)', 'gatehouse'),
        );
    }

    /** @param array<string, mixed> $kept */
    private function showProof(array $kept): void
    {
        $texts = [
            'working' => __('Your browser is calculating. This can take some seconds.', 'gatehouse'),
            'ready' => __('Your browser is ready. Please send the form again.', 'gatehouse'),
            'insecure' => __('This check needs a secure connection: the address of this page must begin with https.', 'gatehouse'),
            'no_script' => __('This form needs JavaScript for a short check. Turn it on and load the page again, or write to us. Reference: :reference', 'gatehouse'),
        ];
        // Plugins with a content policy give scripts a nonce by this filter.
        $attributes = apply_filters('wp_inline_script_attributes', [], ProofScript::TEXT);
        // phpcs:ignore WordPress.Security.EscapeOutput: it escapes.
        echo ProofField::html($kept['proof'], $kept['token'], is_string($attributes['nonce'] ?? null) ? $attributes['nonce'] : null, $texts);
    }

    /** Somebody else than the visitor creates the account, as in the order pages of WooCommerce, an import or its REST API. */
    private static function isByStaff(): bool
    {
        $isCommand = defined('WP_CLI') && constant('WP_CLI');

        return $isCommand || wp_doing_cron() || current_user_can('create_users') || current_user_can('manage_woocommerce');
    }

    private static function isCheckout(): bool
    {
        return function_exists('is_checkout') && is_checkout();
    }

    private function decide(string $email): FormDecision
    {
        try {
            $decision = $this->settings->client()->protectForm(
                // WordPress adds slashes to `$_SERVER` and `$_POST`.
                wp_unslash($_SERVER),
                $email,
                fields: wp_unslash($_POST),
                challenge: $this->cookie->read(),
                returnUrl: wp_registration_url(),
                captcha: $this->settings->captcha() === null ? false : $this->settings->get('captcha'),
                check: $this->settings->check(),
            );
            if ($decision->mail !== null && !$this->sendMail($email, $decision->mail)) {
                $decision = new FormDecision('invalid', reference: $decision->reference, signup: $decision->signup);
            }
            $this->cookie->keep($decision->challenge);

            return $decision;
        } catch (\Throwable $error) {
            // The settings are wrong, or no mail can be sent: neither must stop a registration.
            error_log("gatehouse: no verdict for a signup: {$error->getMessage()}");

            return new FormDecision('allow', mustConfirm: true);
        }
    }

    /** @return bool false: the address was refused. It throws where nobody can be mailed. */
    private function sendMail(string $email, ChallengeConfirmation $mail): bool
    {
        /* translators: %s: six digits */
        $subject = sprintf(__('Your code: %s', 'gatehouse'), $mail->code);
        /* translators: 1: name of the site, 2: six digits, 3: a link */
        $text = __(
            "Somebody, probably you, signs up at %1\$s with this address.\n\n"
            . "Enter this code there: %2\$s\nOr open this page, and press its button: %3\$s\n\n"
            . "If it was not you, ignore this mail: no account is created.\n",
            'gatehouse',
        );
        $site = wp_specialchars_decode(get_option('blogname'), ENT_QUOTES);
        $fault = '';
        $listen = static function ($error) use (&$fault): void {
            $fault = $error instanceof \WP_Error ? $error->get_error_message() : '';
        };
        add_action('wp_mail_failed', $listen);
        $isSent = wp_mail($email, $subject, sprintf($text, $site, $mail->code, $mail->link));
        remove_action('wp_mail_failed', $listen);
        // A visitor chooses the address, and with it all other refusals.
        if (!$isSent && preg_match(self::AWAY, $fault) === 1) {
            throw new \RuntimeException('the mail with the code could not be sent');
        }
        if (!$isSent) {
            error_log('gatehouse: the mail with the code was refused, the signup is not let in');
        }

        return $isSent;
    }

    private function textOf(FormDecision $decision): ?string
    {
        return match ($decision->decision) {
            'challenge' => match (true) {
                $decision->problem === 'unavailable' => __('Please try again in a few minutes.', 'gatehouse'),
                $decision->problem === 'proof' => __('The check did not succeed. Please send the form again.', 'gatehouse'),
                // The order page has no place for a calculation.
                $decision->proof !== null && self::isCheckout() => __('Please create your account on the account page first, then order.', 'gatehouse'),
                $decision->proof !== null => __('Please send the form again. Your browser calculates for some seconds first, which makes mass sign-ups by programs expensive.', 'gatehouse'),
                $decision->asksCaptcha => __('Please show that you are a person.', 'gatehouse'),
                $decision->problem === 'wrong_code' => __('This code is wrong.', 'gatehouse'),
                $decision->problem === 'mails_used' => __('We have sent several mails for this sign-up. Use the newest one.', 'gatehouse'),
                $decision->problem === 'mailbox_full' => __('This address has had many mails, maybe by others. Please try again later, and use no mail that you did not ask for.', 'gatehouse'),
                default => __('We have sent you a mail with a code.', 'gatehouse'),
            },
            'invalid' => __('Please check your email address.', 'gatehouse'),
            /* translators: %s: id of the signup */
            'block' => sprintf(__('We cannot create this account. Reference: %s', 'gatehouse'), $decision->reference),
            default => null,
        };
    }
}
