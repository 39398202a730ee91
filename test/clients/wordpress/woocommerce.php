<?php

/** Registers nobody, but asks the plugin as WooCommerce does: `?woocommerce=ADDRESS` answers with the codes of the errors. */

add_action('init', function () {
    if (isset($_GET['woocommerce'])) {
        $errors = apply_filters('woocommerce_registration_errors', new WP_Error(), 'somebody', wp_unslash($_GET['woocommerce']));
        exit('errors: ' . implode(' ', $errors->get_error_codes()));
    }
});
