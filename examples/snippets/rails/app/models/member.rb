class Member < ActiveRecord::Base
  devise :database_authenticatable, :registerable, :validatable
end
