<?php
/**
 * Plugin Name: Gatehouse
 * Description: Protects the registration form with Gatehouse, the self-hosted signup risk service. Lets people in when Gatehouse does not answer.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 8.1
 * License: Apache-2.0
 * License URI: https://www.apache.org/licenses/LICENSE-2.0
 * Text Domain: gatehouse
 */

defined('ABSPATH') || exit;

// Older versions of PHP read this file, but none of the others.
if (PHP_VERSION_ID < 80100) {
    add_action('admin_notices', function () {
        echo '<div class="notice notice-error"><p>Gatehouse needs PHP 8.1 or newer. Registrations are not protected.</p></div>';
    });

    return;
}

spl_autoload_register(function ($class) {
    // The client is beside the plugin's own code where it was built.
    foreach (['Gatehouse\\WordPress\\' => '/includes/', 'Gatehouse\\' => '/client/'] as $prefix => $folder) {
        if (strncmp($class, $prefix, strlen($prefix)) === 0) {
            $file = __DIR__ . $folder . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
            if (is_file($file)) {
                require $file;
            }

            return;
        }
    }
});

$gatehouse_settings = new Gatehouse\WordPress\Settings();
(new Gatehouse\WordPress\Registration($gatehouse_settings, new Gatehouse\WordPress\ChallengeCookie()))->register();
(new Gatehouse\WordPress\SettingsPage($gatehouse_settings))->register();
