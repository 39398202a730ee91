<?php

declare(strict_types=1);

namespace Gatehouse\WordPress;

use Gatehouse\Exception\GatehouseException;

/** The page under Settings, where an administrator enters what Gatehouse needs, and sees whether it answers. */
final class SettingsPage
{
    private const PAGE = 'gatehouse';
    private const RIGHT = 'manage_options';

    public function __construct(private readonly Settings $settings)
    {
    }

    public function register(): void
    {
        add_action('admin_init', [$this, 'addFields']);
        add_action('admin_menu', function (): void {
            add_options_page('Gatehouse', 'Gatehouse', self::RIGHT, self::PAGE, [$this, 'show']);
        });
        add_action('admin_notices', [$this, 'remind']);
    }

    public function addFields(): void
    {
        register_setting(self::PAGE, Settings::OPTION, ['sanitize_callback' => [$this, 'sanitize']]);
        add_settings_section('gatehouse', '', static function (): void {
        }, self::PAGE);
        $labels = [
            'url' => __('Address of Gatehouse', 'gatehouse'),
            'key' => __('API key', 'gatehouse'),
            'trusted_proxies' => __('Proxies in front of WordPress', 'gatehouse'),
            'mode' => __('Mode', 'gatehouse'),
            'check' => __('Check of challenged visitors', 'gatehouse'),
            'captcha' => __('CAPTCHA for challenged visitors', 'gatehouse'),
            'captcha_site_key' => __('Site key of the CAPTCHA', 'gatehouse'),
        ];
        foreach ($labels as $name => $label) {
            $arguments = ['name' => $name, 'label_for' => "gatehouse_$name"];
            add_settings_field($name, esc_html($label), [$this, 'showField'], self::PAGE, 'gatehouse', $arguments);
        }
    }

    /**
     * @param mixed $sent
     *
     * @return array<string, string>
     */
    public function sanitize($sent): array
    {
        $kept = (array) get_option(Settings::OPTION, []);
        $sent = is_array($sent) ? $sent : [];
        $clean = [];
        foreach (Settings::NAMES as $name) {
            $clean[$name] = sanitize_text_field((string) ($sent[$name] ?? $kept[$name] ?? ''));
        }
        // The page never shows the key: an empty field keeps it.
        if ($clean['key'] === '') {
            $clean['key'] = (string) ($kept['key'] ?? '');
        }

        return $clean;
    }

    /** @param array{name: string} $arguments */
    public function showField($arguments): void
    {
        $name = $arguments['name'];
        $choices = [
            'mode' => ['enforce' => __('Enforce', 'gatehouse'), 'observe' => __('Observe: stops nobody', 'gatehouse')],
            'check' => [
                '' => __('A mail where Gatehouse gives tokens, otherwise a calculation of the browser', 'gatehouse'),
                'proof' => __('A calculation of the browser', 'gatehouse'),
                'mail' => __('A code by mail', 'gatehouse'),
            ],
            'captcha' => ['' => __('None', 'gatehouse'), 'turnstile' => 'Turnstile', 'hcaptcha' => 'hCaptcha', 'recaptcha' => 'reCAPTCHA'],
        ][$name] ?? null;
        $off = $this->settings->isConstant($name) ? ' disabled' : '';
        if ($choices !== null) {
            printf('<select id="gatehouse_%1$s" name="gatehouse[%1$s]"%2$s>', esc_attr($name), $off);
            foreach ($choices as $value => $label) {
                printf('<option value="%s"%s>%s</option>', esc_attr($value), selected($this->settings->get($name), $value, false), esc_html($label));
            }
            echo '</select>';
        } else {
            $isKey = $name === 'key';
            printf(
                '<input class="regular-text" id="gatehouse_%1$s" name="gatehouse[%1$s]" type="%2$s" value="%3$s" placeholder="%4$s" autocomplete="off"%5$s>',
                esc_attr($name),
                $isKey ? 'password' : 'text',
                $isKey ? '' : esc_attr($this->settings->get($name)),
                $isKey && $this->settings->get('key') !== '' ? esc_attr__('unchanged', 'gatehouse') : '',
                $off,
            );
        }
        if ($off !== '') {
            /* translators: %s: name of a constant */
            printf('<p class="description">%s</p>', esc_html(sprintf(__('Set by the constant %s.', 'gatehouse'), Settings::constantOf($name))));
        } elseif ($name === 'trusted_proxies') {
            printf('<p class="description">%s</p>', esc_html__('Addresses or blocks with commas between them, loopback, private, a number of proxies, or cloudflare. Empty: none; then the address of the connection is used.', 'gatehouse'));
        }
    }

    public function show(): void
    {
        echo '<div class="wrap"><h1>Gatehouse</h1>';
        printf('<p>%s</p>', esc_html($this->status()));
        echo '<form method="post" action="options.php">';
        settings_fields(self::PAGE);
        do_settings_sections(self::PAGE);
        submit_button();
        echo '</form></div>';
    }

    public function remind(): void
    {
        if ($this->settings->isComplete() || !current_user_can(self::RIGHT)) {
            return;
        }
        $link = sprintf('<a href="%s">%s</a>', esc_url(admin_url('options-general.php?page=' . self::PAGE)), esc_html__('Settings', 'gatehouse'));
        printf('<div class="notice notice-warning"><p>%s %s</p></div>', esc_html__('Gatehouse has no address or no key yet: registrations are not protected.', 'gatehouse'), $link);
    }

    private function status(): string
    {
        if (!$this->settings->isComplete()) {
            return __('Enter the address and a key: until then, registrations are not protected.', 'gatehouse');
        }
        try {
            $usage = $this->settings->client()->usage();

            /* translators: %s: name of a plan */
            return sprintf(__('Gatehouse answers. Plan: %s.', 'gatehouse'), $usage->plan);
        } catch (GatehouseException $error) {
            /* translators: %s: why */
            return sprintf(__('Gatehouse does not answer, so everybody is let in: %s', 'gatehouse'), $error->getMessage());
        }
    }
}
