Rails.application.routes.draw do
  get "/signup", to: "registrations#new"
  post "/signup", to: "registrations#create"
  devise_for :members, controllers: { registrations: "members/registrations" } if defined?(Devise)
  get "/welcome", to: "registrations#welcome"
end
